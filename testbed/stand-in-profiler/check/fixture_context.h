/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef FIXTURE_CONTEXT_H
#define FIXTURE_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The OpenTelemetry half of the fixture, which environment variables enable:
 *
 *   CONTEXT_LIBRARY  the library with the thread-local variable; without it, this half is off.
 *                    Of several, separated by colons, the last one is used
 *   CONTEXT_SCHEMA   the schema version (tlsdesc_v1_dev); "none" for no version, "absent" for
 *                    no process context, "repeated" for a key map with the same key twice
 *   CONTEXT_AFTER_MS when the process context is published (0)
 *   CONTEXT_FAULT    what is wrong with some records: "disagree", "missing", "half" (one of the ids
 *                    is zero), "odd" (address), "attributes"; or "unsampled" or "sampled" for spans
 *                    that Elastic's record does not show
 */

/* Loads the library and publishes the process context at once or later. */
void fixture_context_start(void);

/* Gives the calling thread a record, which shows nothing; returns null if this half is off. */
uint8_t *fixture_context_begin(void);

/* The thread shows no context from here until fixture_context_show. */
void fixture_context_hide(uint8_t *record);

/* Shows the ids derived from the number, or a valid record without ids if it is not "traced". */
void fixture_context_show(uint8_t *record, uint64_t number, bool traced);

void fixture_context_end(uint8_t *record);

#endif

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef FIXTURE_EXPECTED_H
#define FIXTURE_EXPECTED_H

#include <stdbool.h>
#include <stdint.h>

/* Creates the file for the option --expected. Returns false and sets errno on failure. */
bool fixture_expected_create(const char *path);

/* Returns the slot for the span that the calling thread shows; unused memory without the file. */
volatile uint64_t *fixture_expected_slot(void);

#endif

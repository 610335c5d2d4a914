/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef FIXTURE_EXPECTED_H
#define FIXTURE_EXPECTED_H

#include <stdbool.h>
#include <stdint.h>

/* Creates the file for the profiler's option --expected. False (and errno) if it cannot. */
bool fixture_expected_create(const char *path);

/* Where the calling thread says which span it shows; without the file, a place nobody looks at. */
volatile uint64_t *fixture_expected_slot(void);

#endif

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef FIXTURE_PROCESS_CONTEXT_H
#define FIXTURE_PROCESS_CONTEXT_H

#include <stdbool.h>

/*
 * Publishes a process context with that schema version (null: none), and a key map with the keys
 * "number" and "text". If it "repeats_key", the map has the first key twice.
 */
void fixture_process_context_publish(const char *schema_version, bool repeats_key);

#endif

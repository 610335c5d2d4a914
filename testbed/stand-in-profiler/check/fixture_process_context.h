/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef FIXTURE_PROCESS_CONTEXT_H
#define FIXTURE_PROCESS_CONTEXT_H

#include <stdbool.h>

/*
 * Publishes a process context with the schema version (null: without one), and a key map with the
 * keys "number" and "text". With "repeats_key", the map has the first key twice.
 */
void fixture_process_context_publish(const char *schema_version, bool repeats_key);

#endif

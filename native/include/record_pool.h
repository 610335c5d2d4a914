/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef RECORD_POOL_H
#define RECORD_POOL_H

#include "profiling_correlation.h"

/*
 * Memory for the records of virtual threads, which have no thread-local storage of their own. It is
 * never returned to the system, so it suffices for the most threads that have needed a record at
 * once. Thread-safe.
 */

/* Returns a record that shows no trace, with ids on 8-byte boundaries; NULL if out of memory. */
pc_thread_record *pc_record_take(void);

/* Frees a record for reuse. No thread may write to it or show it from now on. */
void pc_record_give_back(pc_thread_record *record);

/* Makes all records that were ever taken say that there is no trace. */
void pc_record_clear_all(void);

#endif

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef RECORD_POOL_H
#define RECORD_POOL_H

#include "profiling_correlation.h"

/*
 * Memory for the records of virtual threads, which have no thread-local storage of their own. It is
 * never given back to the system, so it is as much as the most threads at once have needed. For any
 * thread.
 */

/* A record that shows no trace, its ids on 8-byte boundaries; NULL if there is no memory. */
pc_thread_record *pc_record_take(void);

/* To be used again. Nothing may write to it any more, and no thread show it. */
void pc_record_give_back(pc_thread_record *record);

/* Has all records that were ever taken say that there is no trace. */
void pc_record_clear_all(void);

#endif

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef THREAD_STORAGE_H
#define THREAD_STORAGE_H

#include "record_pool.h"

/*
 * Returns the calling thread's record, which is in its block if it has one. Shows it to profilers,
 * saying "no trace", unless the thread shows one already. The memory is the thread's own and ends
 * with it.
 */
pc_thread_record *pc_thread_show_record(void);

/*
 * Shows the record and the first thread context of a block on the calling thread, which is not
 * virtual, and returns the block. The record shows no trace, and both contexts are invalid. Each
 * call of a thread returns the same block, which ends with the thread, so the first call decides
 * about attributes. NULL if out of memory, or if the thread has ended but for destructors of
 * thread-specific data.
 */
pc_block *pc_thread_show_block(int with_attributes);

/* Points the calling thread to another record, or to none if it is NULL. */
void pc_thread_point_to(pc_thread_record *record);

/* Makes the calling thread's record say that there is no trace, and its contexts invalid. */
void pc_thread_hide(void);

/* Does the same for all records in thread-local storage; pc_block_hide_all does it for blocks. */
void pc_thread_hide_all(void);

#endif

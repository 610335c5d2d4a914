/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef THREAD_STORAGE_H
#define THREAD_STORAGE_H

#include "record_pool.h"

/*
 * Returns the calling thread's record, which is part of its block if it has one. Unless the thread
 * already shows a record, shows this one to profilers, with no trace. The memory belongs to the
 * thread and is freed with it.
 */
pc_thread_record *pc_thread_show_record(void);

/*
 * Shows the record and the first thread context of a block on the calling thread, which must not be
 * virtual, and returns the block. The record shows no trace, and both contexts are invalid. Every
 * call on a thread returns the same block, which is freed with the thread, so the first call
 * decides about attributes. Returns NULL if out of memory, or if the thread has ended except for
 * destructors of thread-specific data.
 */
pc_block *pc_thread_show_block(int with_attributes);

/* Points the calling thread to another record, or to none if it is NULL. */
void pc_thread_point_to(pc_thread_record *record);

/* Whether the calling thread points to a record of its own, and not to a virtual thread's. */
int pc_thread_shows_own(void);

/* Makes the calling thread's record show no trace, and its contexts invalid. */
void pc_thread_hide(void);

/* Hides all records in thread-local storage; pc_block_hide_all does so for blocks. */
void pc_thread_hide_all(void);

#endif

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef RECORD_POOL_H
#define RECORD_POOL_H

#include "profiling_correlation.h"
#include "thread_context.h"

/*
 * Memory for thread contexts, and for the records of virtual threads, which have no thread-local
 * storage of their own. It is never returned to the system, so it suffices for the most threads
 * that have needed some at once, and a pointer into it never dangles. Thread-safe.
 */

#define PC_ATTRIBUTES_MAX 256 /* bytes; some readers cut what is longer */

/*
 * What one thread shows. The padding puts all ids on 8-byte boundaries. Threads that write to the
 * same cache line, or to adjacent ones, slow each other down.
 */
typedef struct pc_block {
  _Alignas(128) uint8_t with_attributes;
  uint8_t padding[2];
  pc_thread_record record;
  struct pc_block *next_free;
  pc_thread_context context;
} pc_block;

_Static_assert(offsetof(pc_block, record) == 3, "record in its block");
_Static_assert(offsetof(pc_block, context) % 8 == 0, "thread context in its block");
_Static_assert(sizeof(pc_block) == 128, "block without attributes");

/*
 * Returns a block whose record shows no trace and whose thread context is invalid; NULL if out of
 * memory. The context has room for PC_ATTRIBUTES_MAX bytes of attributes, or for none.
 */
pc_block *pc_block_take(int with_attributes);

/* Returns the size of the block's thread context, in bytes. */
size_t pc_block_context_size(const pc_block *block);

/* Frees a block for reuse. No thread may write to it or show it from now on. */
void pc_block_give_back(pc_block *block);

/* Makes all blocks that were ever taken show no trace. */
void pc_block_clear_all(void);

/*
 * Shows the thread context of the calling thread, which is not virtual, and returns its block. The
 * context is invalid. Each call of a thread returns the same block, which ends with the thread, so
 * the first call decides about attributes. NULL if out of memory, or if the thread has ended but
 * for destructors of thread-specific data.
 */
pc_block *pc_thread_context_show(int with_attributes);

#endif

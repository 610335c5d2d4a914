/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef RECORD_POOL_H
#define RECORD_POOL_H

#include "thread_context.h"
#include "thread_record.h"

/*
 * Memory for thread contexts with the records beside them, and for the records of virtual threads,
 * which have no thread-local storage of their own. It is never returned to the system, so it
 * suffices for the most threads that have needed some at once, and a pointer into it never dangles.
 * Thread-safe.
 */

#define PC_ATTRIBUTES_MAX 256 /* bytes; some readers cut what is longer */

/*
 * How far the two thread contexts of a block are apart. For another trace, a thread writes the one
 * to which the thread-local pointer does not point, and then turns the pointer to it.
 */
enum { PC_CONTEXT_STRIDE = 32, PC_CONTEXT_STRIDE_WITH_ATTRIBUTES = 32 + PC_ATTRIBUTES_MAX };

/*
 * What one thread shows. The contexts follow the record at once, and Java writes all of them
 * through one buffer, which has the neighbours of the block, too. The padding puts all ids on 8-byte boundaries. Threads that write to the same
 * cache line, or to adjacent ones, slow each other down.
 */
typedef struct pc_block {
  _Alignas(128) struct pc_block *next_free;
  uint8_t with_attributes;
  uint8_t second_is_shown; /* of a virtual thread, while and wherever it is mounted */
  uint8_t padding;
  pc_thread_record record;
  pc_thread_context context; /* the first of two */
} pc_block;

_Static_assert(offsetof(pc_block, record) == 11, "record in its block");
_Static_assert(offsetof(pc_block, context) == 11 + sizeof(pc_thread_record),
               "thread context behind the record");
_Static_assert(sizeof(pc_block) == 128, "block without attributes");
_Static_assert(offsetof(pc_block, context) + 2 * PC_CONTEXT_STRIDE <= sizeof(pc_block),
               "two thread contexts in their block");

/*
 * Returns a block whose record shows no trace and whose thread contexts are invalid; NULL if out of
 * memory. Each context has room for PC_ATTRIBUTES_MAX bytes of attributes, or for none.
 */
pc_block *pc_block_take(int with_attributes);

/* Returns how far the block's thread contexts are apart, in bytes. */
size_t pc_block_stride(const pc_block *block);

/* Returns the first of the blocks among which this one is, and how many bytes they have in all. */
void *pc_block_neighbours(const pc_block *block, size_t *size);

/* Returns the first or the second thread context of a block. */
pc_thread_context *pc_block_context(pc_block *block, int second);

/* Makes a block, which may be shown, show nothing. Thread-safe. */
void pc_block_hide(pc_block *block);

/*
 * Does the same, empties the contexts, and lets the first one be the next that is shown. To be
 * called by the thread that writes to it.
 */
void pc_block_reset(pc_block *block);

/* Frees a block for reuse. No thread may write to it or show it from now on. */
void pc_block_give_back(pc_block *block);

/* Makes all blocks that were ever taken show nothing. Thread-safe. */
void pc_block_hide_all(void);

#endif

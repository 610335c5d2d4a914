/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef RECORD_POOL_H
#define RECORD_POOL_H

#include "thread_context.h"
#include "thread_record.h"

/*
 * Memory for the thread contexts and their records, and for the records of virtual threads, which
 * do not have thread-local storage. It is never returned to the system, so a pointer into it never
 * dangles. Its size is determined by the largest number of threads that have needed some at the
 * same time. Thread-safe.
 */

#define PC_ATTRIBUTES_MAX 256 /* bytes; some readers truncate anything longer */

/*
 * The distance between the two thread contexts of a block. To change to another trace, a thread
 * writes the context to which the thread-local pointer does not point, and then turns the pointer
 * to it.
 */
enum { PC_CONTEXT_STRIDE = 32, PC_CONTEXT_STRIDE_WITH_ATTRIBUTES = 32 + PC_ATTRIBUTES_MAX };

/*
 * What one thread shows. The contexts immediately follow the record. Java writes all of them
 * through one buffer, which also covers the neighbours of the block. The padding puts all ids on
 * 8-byte boundaries. Threads that write to the same cache line, or to adjacent ones, slow each
 * other down.
 */
typedef struct pc_block {
  _Alignas(128) union {
    struct pc_block *next_free;
    uint64_t unmounted; /* of a virtual thread: when, if waits are wanted */
  };
  uint64_t not_sampled; /* of a virtual thread's local root span, or 0: see pc_work */
  uint8_t with_attributes;
  uint8_t second_is_shown; /* of a virtual thread, while mounted and wherever that is */
  uint8_t is_sampled; /* of a virtual thread: its carriers, since it last asked */
  pc_thread_record record;
  pc_thread_context context; /* the first of two */
} pc_block;

_Static_assert(offsetof(pc_block, record) == 19, "record in its block");
_Static_assert(offsetof(pc_block, context) == 19 + sizeof(pc_thread_record),
               "thread context behind the record");
_Static_assert(sizeof(pc_block) == 128, "block without attributes");
_Static_assert(offsetof(pc_block, context) + 2 * PC_CONTEXT_STRIDE <= sizeof(pc_block),
               "two thread contexts in their block");

/*
 * Returns a block whose record shows no trace and whose thread contexts are invalid, or NULL if out
 * of memory. Each context has room for PC_ATTRIBUTES_MAX bytes of attributes, or for none.
 */
pc_block *pc_block_take(int with_attributes);

/* Returns the distance in bytes between the block's thread contexts. */
size_t pc_block_stride(const pc_block *block);

/* Returns the first of the adjacent blocks that include this one, and their total size in bytes. */
void *pc_block_neighbours(const pc_block *block, size_t *size);

/* Returns the first or the second thread context of a block. */
pc_thread_context *pc_block_context(pc_block *block, int second);

/* Makes a block, which may be shown, show no trace. Thread-safe. */
void pc_block_hide(pc_block *block);

/*
 * Hides a block, empties its contexts, and makes the first one the next to be shown. Called by the
 * thread that writes to the block.
 */
void pc_block_reset(pc_block *block);

/* Frees a block for reuse. From now on, no thread may write to it or show it. */
void pc_block_give_back(pc_block *block);

/* Makes all blocks that were ever taken show no trace. Thread-safe. */
void pc_block_hide_all(void);

#endif

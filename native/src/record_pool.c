/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "record_pool.h"

#include <pthread.h>
#include <stdlib.h>

enum {
  BLOCKS = 255, /* per chunk */
  SIZE = sizeof(pc_block),
  SIZE_WITH_ATTRIBUTES = 5 * SIZE
};

_Static_assert(offsetof(pc_block, context) + 2 * PC_CONTEXT_STRIDE_WITH_ATTRIBUTES <=
                   SIZE_WITH_ATTRIBUTES,
               "block with attributes");

/* Followed by the blocks. */
typedef struct pc_chunk {
  _Alignas(SIZE) struct pc_chunk *next;
} pc_chunk;

typedef struct {
  size_t block_size;
  pc_chunk *chunks;
  pc_block *free_blocks;
} pc_pool;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pc_pool pools[2] = {{.block_size = SIZE}, {.block_size = SIZE_WITH_ATTRIBUTES}};

static pc_block *block_of(const pc_pool *pool, pc_chunk *chunk, size_t index) {
  return (pc_block *)(void *)((uint8_t *)(chunk + 1) + index * pool->block_size);
}

size_t pc_block_stride(const pc_block *block) {
  return block->with_attributes ? PC_CONTEXT_STRIDE_WITH_ATTRIBUTES : PC_CONTEXT_STRIDE;
}

pc_thread_context *pc_block_context(pc_block *block, int second) {
  size_t offset = offsetof(pc_block, context) + (second ? pc_block_stride(block) : 0);
  return (pc_thread_context *)((uint8_t *)block + offset);
}

void pc_block_hide(pc_block *block) {
  pc_thread_record_hide(&block->record);
  __atomic_store_n(&block->not_sampled, 0, __ATOMIC_RELAXED);
  pc_thread_context_hide(pc_block_context(block, 0));
  pc_thread_context_hide(pc_block_context(block, 1));
}

void pc_block_reset(pc_block *block) {
  pc_thread_record_reset(&block->record);
  pc_thread_context_reset(pc_block_context(block, 0));
  pc_thread_context_reset(pc_block_context(block, 1));
  block->unmounted = 0;
  block->not_sampled = 0;
  block->second_is_shown = 0;
  block->is_sampled = 0;
}

static void add_chunk(pc_pool *pool) {
  void *memory;
  if (posix_memalign(&memory, SIZE, sizeof(pc_chunk) + BLOCKS * pool->block_size) != 0) {
    return;
  }
  pc_chunk *chunk = memory;
  for (size_t i = 0; i < BLOCKS; i++) {
    pc_block *block = block_of(pool, chunk, i);
    block->with_attributes = pool == &pools[1];
    pc_block_reset(block);
    block->next_free = pool->free_blocks;
    pool->free_blocks = block;
  }
  chunk->next = pool->chunks;
  pool->chunks = chunk;
}

pc_block *pc_block_take(int with_attributes) {
  pc_pool *pool = &pools[with_attributes != 0];
  pthread_mutex_lock(&lock);
  if (pool->free_blocks == NULL) {
    add_chunk(pool);
  }
  pc_block *block = pool->free_blocks;
  if (block != NULL) {
    pool->free_blocks = block->next_free;
    pc_block_reset(block);
  }
  pthread_mutex_unlock(&lock);
  return block;
}

void pc_block_give_back(pc_block *block) {
  pc_pool *pool = &pools[block->with_attributes];
  pthread_mutex_lock(&lock);
  block->next_free = pool->free_blocks;
  pool->free_blocks = block;
  pthread_mutex_unlock(&lock);
}

static int has(const pc_pool *pool, pc_chunk *chunk, const pc_block *block) {
  return block >= block_of(pool, chunk, 0) && block < block_of(pool, chunk, BLOCKS);
}

void *pc_block_neighbours(const pc_block *block, size_t *size) {
  const pc_pool *pool = &pools[block->with_attributes];
  pthread_mutex_lock(&lock);
  pc_chunk *chunk = pool->chunks;
  while (!has(pool, chunk, block)) {
    chunk = chunk->next;
  }
  pthread_mutex_unlock(&lock);
  *size = BLOCKS * pool->block_size;
  return block_of(pool, chunk, 0);
}

static void hide_all(const pc_pool *pool) {
  for (pc_chunk *chunk = pool->chunks; chunk != NULL; chunk = chunk->next) {
    for (size_t i = 0; i < BLOCKS; i++) {
      pc_block_hide(block_of(pool, chunk, i));
    }
  }
}

void pc_block_hide_all(void) {
  pthread_mutex_lock(&lock);
  hide_all(&pools[0]);
  hide_all(&pools[1]);
  pthread_mutex_unlock(&lock);
}

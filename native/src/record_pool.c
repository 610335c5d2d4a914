/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "record_pool.h"

#include <pthread.h>
#include <stdlib.h>

/*
 * The padding puts the ids on 8-byte boundaries. Threads that write to the same cache line, or to
 * adjacent ones, slow each other down.
 */
enum { PADDING = 3, DISTANCE = 128, BLOCKS = 255 };

typedef struct pc_block {
  _Alignas(DISTANCE) uint8_t padding[PADDING];
  pc_thread_record record;
  struct pc_block *next_free;
} pc_block;

_Static_assert(sizeof(pc_block) == DISTANCE, "block");
_Static_assert(offsetof(pc_block, record) == PADDING, "record in its block");

typedef struct pc_chunk {
  struct pc_chunk *next;
  pc_block blocks[BLOCKS];
} pc_chunk;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pc_chunk *chunks;
static pc_block *free_blocks;

static void add_chunk(void) {
  void *memory;
  if (posix_memalign(&memory, DISTANCE, sizeof(pc_chunk)) != 0) {
    return;
  }
  pc_chunk *chunk = memory;
  for (int i = 0; i < BLOCKS; i++) {
    pc_thread_record_clear(&chunk->blocks[i].record);
    chunk->blocks[i].next_free = free_blocks;
    free_blocks = &chunk->blocks[i];
  }
  chunk->next = chunks;
  chunks = chunk;
}

pc_thread_record *pc_record_take(void) {
  pthread_mutex_lock(&lock);
  if (free_blocks == NULL) {
    add_chunk();
  }
  pc_block *block = free_blocks;
  if (block != NULL) {
    free_blocks = block->next_free;
    pc_thread_record_clear(&block->record);
  }
  pthread_mutex_unlock(&lock);
  return block == NULL ? NULL : &block->record;
}

void pc_record_give_back(pc_thread_record *record) {
  pc_block *block = (pc_block *)(void *)((uint8_t *)record - PADDING);
  pthread_mutex_lock(&lock);
  block->next_free = free_blocks;
  free_blocks = block;
  pthread_mutex_unlock(&lock);
}

void pc_record_clear_all(void) {
  pthread_mutex_lock(&lock);
  for (pc_chunk *chunk = chunks; chunk != NULL; chunk = chunk->next) {
    for (int i = 0; i < BLOCKS; i++) {
      pc_thread_record_show_no_trace(&chunk->blocks[i].record);
    }
  }
  pthread_mutex_unlock(&lock);
}

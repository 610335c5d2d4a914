/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "status_block.h"

#include <pthread.h>
#include <string.h>

#include "process_storage.h"
#include "profiling_correlation.h"

void *flamespan_status_v1 = NULL;

/* Zero, so that its pages take no memory before the first text. */
static union {
  pc_status_block block;
  uint8_t bytes[PC_STATUS_SIZE];
} memory;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

pc_status_block *pc_status(void) { return &memory.block; }

static void set_sequence(uint64_t value) {
  __atomic_store_n(&memory.block.sequence, value, __ATOMIC_SEQ_CST);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

static void replace(const int64_t *counters, size_t count, const uint8_t *text, size_t length) {
  pc_status_block *block = &memory.block;
  uint64_t sequence = block->sequence;
  set_sequence(sequence + 1);
  block->version = PC_STATUS_VERSION;
  block->size = PC_STATUS_SIZE;
  block->counters = (uint32_t)count;
  block->text_length = (uint32_t)length;
  for (size_t i = 0; i < count; i++) {
    __atomic_store_n(&block->counter[i], counters[i], __ATOMIC_RELAXED);
  }
  memcpy(&block->counter[count], text, length);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  set_sequence(sequence + 2);
}

int pc_status_publish(int has_published, const int64_t *counters, size_t count, const uint8_t *text,
                      size_t length) {
  size_t room = PC_STATUS_SIZE - offsetof(pc_status_block, counter);
  if (count > room / sizeof(*counters) || length > room - count * sizeof(*counters)) {
    return -1;
  }
  pthread_mutex_lock(&lock);
  int is_of_another = !has_published && pc_process_storage_is_published();
  if (!is_of_another) {
    replace(counters, count, text, length);
    __atomic_store_n(&flamespan_status_v1, (void *)&memory, __ATOMIC_SEQ_CST);
  }
  pthread_mutex_unlock(&lock);
  return is_of_another ? PC_PUBLISHED_BY_ANOTHER : 0;
}

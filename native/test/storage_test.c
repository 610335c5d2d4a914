/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "process_context.h"
#include "process_storage.h"
#include "profiling_correlation.h"
#include "status_block.h"
#include "thread_storage.h"

enum { THREADS = 64, ROUNDS = 2000 };

static pthread_barrier_t all_alive;
static void *records[THREADS];

static void *own_record(void *argument) {
  CHECK(elastic_apm_profiling_correlation_tls_v1 == NULL);
  pc_thread_record *record = pc_thread_show_record();
  CHECK(elastic_apm_profiling_correlation_tls_v1 == record);
  CHECK(record->layout_minor_version == 1);
  CHECK(record->valid == 1);
  CHECK(record->trace_present == 0);
  CHECK((uintptr_t)record->trace_id % 8 == 0);
  CHECK((uintptr_t)record->span_id % 8 == 0);
  CHECK((uintptr_t)record->transaction_id % 8 == 0);

  record->trace_present = 1;
  memset(record->trace_id, (int)(size_t)argument, sizeof(record->trace_id));
  CHECK(pc_thread_show_record() == record);
  CHECK(record->trace_present == 1);

  records[(size_t)argument] = record;
  pthread_barrier_wait(&all_alive);
  CHECK(record->trace_id[15] == (uint8_t)(size_t)argument);
  pthread_barrier_wait(&all_alive);
  return NULL;
}

static void living_threads_never_share_a_record(void) {
  pthread_t threads[THREADS];
  CHECK(pthread_barrier_init(&all_alive, NULL, THREADS) == 0);
  for (size_t i = 0; i < THREADS; i++) {
    CHECK(pthread_create(&threads[i], NULL, own_record, (void *)i) == 0);
  }
  for (size_t i = 0; i < THREADS; i++) {
    CHECK(pthread_join(threads[i], NULL) == 0);
  }
  for (size_t i = 0; i < THREADS; i++) {
    for (size_t j = i + 1; j < THREADS; j++) {
      CHECK(records[i] != records[j]);
    }
  }
}

static void *leave_a_trace(void *unused) {
  CHECK(elastic_apm_profiling_correlation_tls_v1 == NULL);
  pc_thread_record *record = pc_thread_show_record();
  CHECK(record->trace_present == 0);
  record->trace_present = 1;
  return unused;
}

static void a_new_thread_finds_nothing_of_an_ended_one(void) {
  for (int i = 0; i < ROUNDS; i++) {
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, leave_a_trace, NULL) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
  }
}

static void *show_a_trace_until_told_none(void *unused) {
  pc_thread_record *record = pc_thread_show_record();
  record->trace_present = 1;
  /* Acts like a carrier whose virtual thread is being unmounted. */
  pc_thread_point_to(NULL);
  CHECK(pc_thread_show_record() == record);
  record->trace_present = 1;
  pthread_barrier_wait(&all_alive);
  pthread_barrier_wait(&all_alive);
  CHECK(record->trace_present == 0);
  return unused;
}

static void *ends_without_a_trace(void *stop) {
  while (!__atomic_load_n((int *)stop, __ATOMIC_SEQ_CST)) {
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, leave_a_trace, NULL) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
  }
  return NULL;
}

static void all_living_threads_are_told_to_show_no_trace(void) {
  pthread_t threads[THREADS], brief;
  CHECK(pthread_barrier_init(&all_alive, NULL, THREADS + 1) == 0);
  for (size_t i = 0; i < THREADS; i++) {
    CHECK(pthread_create(&threads[i], NULL, show_a_trace_until_told_none, NULL) == 0);
  }
  pthread_barrier_wait(&all_alive);
  int stop = 0;
  CHECK(pthread_create(&brief, NULL, ends_without_a_trace, &stop) == 0);
  for (int i = 0; i < ROUNDS; i++) {
    pc_thread_hide_all();
  }
  __atomic_store_n(&stop, 1, __ATOMIC_SEQ_CST);
  CHECK(pthread_join(brief, NULL) == 0);
  pthread_barrier_wait(&all_alive);
  for (size_t i = 0; i < THREADS; i++) {
    CHECK(pthread_join(threads[i], NULL) == 0);
  }
}

static void a_block_of_the_pool_is_new_each_time_and_used_again(int with_attributes) {
  enum { TAKEN = 1000 };
  static pc_block *taken[TAKEN];
  pc_block *highest = NULL;
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < TAKEN; i++) {
      taken[i] = pc_block_take(with_attributes);
      pc_thread_record *record = &taken[i]->record;
      uint8_t *context = (uint8_t *)taken[i] + offsetof(pc_block, context);
      size_t stride = with_attributes ? 288 : 32;
      CHECK(pc_block_stride(taken[i]) == stride);
      size_t size;
      const uint8_t *first = pc_block_neighbours(taken[i], &size);
      CHECK((uintptr_t)first % 8 == 0 && first <= (uint8_t *)taken[i]);
      CHECK(context + 2 * stride <= first + size);
      CHECK((uintptr_t)record->trace_id % 8 == 0 && (uintptr_t)context % 8 == 0);
      CHECK(record->layout_minor_version == 1 && record->valid == 1);
      CHECK(record->trace_present == 0 && context[24] == 0 && context[stride + 24] == 0);
      memset(context, i, 2 * stride);
      context[24] = context[stride + 24] = 1;
      record->trace_present = 1;
      record->trace_id[0] = (uint8_t)i;
      CHECK(round == 0 || taken[i] <= highest);
      highest = taken[i] > highest ? taken[i] : highest;
    }
    for (int i = 0; i < TAKEN; i++) {
      const uint8_t *context = (const uint8_t *)taken[i] + offsetof(pc_block, context);
      CHECK(taken[i]->record.trace_id[0] == (uint8_t)i && taken[i]->record.valid == 1);
      CHECK(context[0] == (uint8_t)i && context[with_attributes ? 575 : 63] == (uint8_t)i);
    }
    if (round == 1) {
      pc_block_hide_all();
      for (int i = 0; i < TAKEN; i++) {
        const uint8_t *context = (const uint8_t *)taken[i] + offsetof(pc_block, context);
        CHECK(taken[i]->record.trace_present == 0 && context[24] == 0);
        CHECK(context[pc_block_stride(taken[i]) + 24] == 0);
      }
    }
    for (int i = 0; i < TAKEN; i++) {
      pc_block_give_back(taken[i]);
    }
  }
}

static void process_storage_keeps_its_address(void) {
  uint8_t bytes[PC_PROCESS_STORAGE_MAX + 1];
  memset(bytes, 7, sizeof(bytes));
  CHECK(elastic_apm_profiling_correlation_process_storage_v1 == NULL);
  CHECK(pc_process_storage_publish(bytes, 20) == 0);
  void *address = elastic_apm_profiling_correlation_process_storage_v1;
  CHECK(address != NULL && memcmp(address, bytes, 20) == 0);

  bytes[0] = 8;
  CHECK(pc_process_storage_publish(bytes, 20) == PC_PUBLISHED_BY_ANOTHER);
  CHECK(*(uint8_t *)address == 7);
  pc_process_storage_withdraw();
  CHECK(elastic_apm_profiling_correlation_process_storage_v1 == NULL);

  CHECK(pc_process_storage_publish(bytes, PC_PROCESS_STORAGE_MAX) == 0);
  CHECK(elastic_apm_profiling_correlation_process_storage_v1 == address);
  CHECK(memcmp(address, bytes, PC_PROCESS_STORAGE_MAX) == 0);

  CHECK(pc_process_storage_publish(bytes, PC_PROCESS_STORAGE_MAX + 1) == -1);
  CHECK(elastic_apm_profiling_correlation_process_storage_v1 == address);
  pc_process_storage_withdraw();
}

static void status_is_that_of_who_has_published(void) {
  static uint8_t text[PC_STATUS_SIZE];
  int64_t counters[2] = {-5, 1L << 40};
  memset(text, 'x', sizeof(text));
  CHECK(flamespan_status_v1 == NULL);
  size_t room = PC_STATUS_SIZE - 24 - sizeof(counters);
  CHECK(pc_status_publish(1, counters, 2, text, room + 1) == -1);
  CHECK(pc_status_publish(1, counters, (size_t)-1, text, 0) == -1);
  CHECK(flamespan_status_v1 == NULL);

  CHECK(pc_status_publish(0, counters, 2, text, room) == 0);
  const uint8_t *block = flamespan_status_v1;
  CHECK((uintptr_t)block % 8 == 0 && block == (const uint8_t *)pc_status());
  uint32_t words[6];
  memcpy(words, block, sizeof(words));
  CHECK(words[0] == 1 && words[1] == PC_STATUS_SIZE && words[4] == 2 && words[5] == room);
  CHECK(memcmp(block + 24, counters, sizeof(counters)) == 0);
  CHECK(block[40] == 'x' && block[PC_STATUS_SIZE - 1] == 'x');

  CHECK(pc_process_storage_publish(text, 20) == 0);
  CHECK(pc_status_publish(0, counters, 1, text, 1) == PC_PUBLISHED_BY_ANOTHER);
  CHECK(pc_status()->counters == 2);
  CHECK(pc_status_publish(1, counters, 1, text, 1) == 0);
  CHECK(pc_status()->counters == 1 && pc_status()->text_length == 1);
  pc_process_storage_withdraw();
  CHECK(pc_status_publish(0, counters, 0, text, 0) == 0);
  CHECK(flamespan_status_v1 == block && pc_status()->text_length == 0);
}

static int status_ends;

/* Writes texts of one letter each, with a length that belongs to the letter. */
static void *rewrite_status(void *argument) {
  (void)argument;
  static uint8_t text[26][PC_STATUS_SIZE];
  for (int letter = 0; letter < 26; letter++) {
    memset(text[letter], 'a' + letter, sizeof(text[letter]));
  }
  for (size_t i = 0; !__atomic_load_n(&status_ends, __ATOMIC_RELAXED); i++) {
    CHECK(pc_status_publish(1, NULL, 0, text[i % 26], 100 * (i % 26 + 1)) == 0);
    for (volatile int pause = 0; pause < 5000; pause++) { /* readers must find a gap */
    }
  }
  return NULL;
}

static int is_read_whole(pc_status_block *block, uint8_t *copy) {
  uint64_t before = __atomic_load_n(&block->sequence, __ATOMIC_SEQ_CST);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  uint32_t length = *(volatile uint32_t *)&block->text_length;
  for (uint32_t i = 0; i < length; i++) {
    copy[i] = ((volatile uint8_t *)block)[24 + i];
  }
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  if (before % 2 != 0 || __atomic_load_n(&block->sequence, __ATOMIC_SEQ_CST) != before) {
    return 0;
  }
  CHECK(length == 100U * (uint32_t)(copy[0] - 'a' + 1));
  for (uint32_t i = 1; i < length; i++) {
    CHECK(copy[i] == copy[0]);
  }
  return 1;
}

static void status_with_the_same_even_sequence_is_whole(void) {
  static uint8_t copy[PC_STATUS_SIZE];
  uint8_t first[100];
  memset(first, 'a', sizeof(first));
  CHECK(pc_status_publish(1, NULL, 0, first, sizeof(first)) == 0);
  pthread_t writer;
  CHECK(pthread_create(&writer, NULL, rewrite_status, NULL) == 0);
  for (int whole = 0; whole < 200000;) {
    whole += is_read_whole(pc_status(), copy);
  }
  __atomic_store_n(&status_ends, 1, __ATOMIC_RELAXED);
  CHECK(pthread_join(writer, NULL) == 0);
  CHECK(is_read_whole(pc_status(), copy));
}

typedef struct {
  uintptr_t start;
  size_t size;
  uint32_t length;
  uint64_t time;
  const uint8_t *payload;
} shown_context;

static int process_contexts(shown_context *shown) {
  char line[512];
  int found = 0;
  FILE *maps = fopen("/proc/self/maps", "r");
  CHECK(maps != NULL);
  while (fgets(line, sizeof(line), maps) != NULL) {
    if (strstr(line, "OTEL_CTX") != NULL) {
      char *end;
      shown->start = strtoul(line, &end, 16);
      shown->size = strtoul(end + 1, NULL, 16) - shown->start;
      found++;
    }
  }
  fclose(maps);
  return found;
}

static shown_context published(const uint8_t *bytes, size_t length) {
  shown_context shown;
  uint64_t address;
  CHECK(pc_process_context_publish(bytes, length) == 0);
  CHECK(process_contexts(&shown) == 1);
  CHECK(memcmp((void *)shown.start, "OTEL_CTX\2\0\0", 12) == 0);
  memcpy(&shown.length, (void *)(shown.start + 12), sizeof(shown.length));
  memcpy(&shown.time, (void *)(shown.start + 16), sizeof(shown.time));
  memcpy(&address, (void *)(shown.start + 24), sizeof(address));
  shown.payload = (const uint8_t *)(uintptr_t)address;
  CHECK(shown.length == length && memcmp(shown.payload, bytes, length) == 0);
  return shown;
}

static void each_update_of_the_process_context_is_later_and_elsewhere(void) {
  static const size_t lengths[] = {1, 100, 4096, PC_PROCESS_CONTEXT_PAYLOAD_MAX, 7};
  static uint8_t bytes[PC_PROCESS_CONTEXT_PAYLOAD_MAX + 1];
  CHECK(pc_process_context_publish(bytes, 0) == EINVAL);
  CHECK(pc_process_context_publish(bytes, sizeof(bytes)) == EINVAL);
  uint64_t last_time = 0;
  for (int round = 0; round < 3; round++) {
    shown_context last = {0};
    for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
      memset(bytes, (int)i + 1, sizeof(bytes));
      shown_context shown = published(bytes, lengths[i]);
      CHECK(shown.size == (size_t)sysconf(_SC_PAGESIZE));
      CHECK(shown.time > last_time);
      if (i > 0) {
        CHECK(shown.start == last.start && shown.payload != last.payload);
        CHECK(last.payload[0] == i && last.payload[last.length - 1] == i);
      }
      last = shown;
      last_time = shown.time;
    }
    CHECK(pc_process_context_publish(bytes, sizeof(bytes)) == EINVAL);
    CHECK(last.payload[0] == sizeof(lengths) / sizeof(lengths[0]));
    pc_process_context_withdraw();
    pc_process_context_withdraw();
    CHECK(process_contexts(&last) == 0);
  }
}

int main(void) {
  living_threads_never_share_a_record();
  a_new_thread_finds_nothing_of_an_ended_one();
  all_living_threads_are_told_to_show_no_trace();
  a_block_of_the_pool_is_new_each_time_and_used_again(0);
  a_block_of_the_pool_is_new_each_time_and_used_again(1);
  process_storage_keeps_its_address();
  status_is_that_of_who_has_published();
  status_with_the_same_even_sequence_is_whole();
  each_update_of_the_process_context_is_later_and_elsewhere();
  puts("storage_test: 9 passed");
  return 0;
}

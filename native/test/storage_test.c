/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "process_context.h"
#include "profiling_correlation.h"
#include "record_pool.h"

enum { THREADS = 64, ROUNDS = 2000 };

static pthread_barrier_t all_alive;
static void *records[THREADS];

static void *own_record(void *argument) {
  CHECK(elastic_apm_profiling_correlation_tls_v1 == NULL);
  pc_thread_record *record = pc_thread_record_show();
  CHECK(elastic_apm_profiling_correlation_tls_v1 == record);
  CHECK(record->layout_minor_version == 1);
  CHECK(record->valid == 1);
  CHECK(record->trace_present == 0);
  CHECK((uintptr_t)record->trace_id % 8 == 0);
  CHECK((uintptr_t)record->span_id % 8 == 0);
  CHECK((uintptr_t)record->transaction_id % 8 == 0);

  record->trace_present = 1;
  memset(record->trace_id, (int)(size_t)argument, sizeof(record->trace_id));
  CHECK(pc_thread_record_show() == record);
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
  pc_thread_record *record = pc_thread_record_show();
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
  pc_thread_record *record = pc_thread_record_show();
  record->trace_present = 1;
  /* Acts like a carrier whose virtual thread is unmounted. */
  pc_thread_record_replace(NULL);
  CHECK(pc_thread_record_show() == record);
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
    pc_thread_record_forget_all();
  }
  __atomic_store_n(&stop, 1, __ATOMIC_SEQ_CST);
  CHECK(pthread_join(brief, NULL) == 0);
  pthread_barrier_wait(&all_alive);
  for (size_t i = 0; i < THREADS; i++) {
    CHECK(pthread_join(threads[i], NULL) == 0);
  }
}

static void a_record_of_the_pool_is_new_each_time_and_used_again(void) {
  enum { TAKEN = 1000 };
  static pc_thread_record *taken[TAKEN];
  pc_thread_record *highest = NULL;
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < TAKEN; i++) {
      taken[i] = pc_record_take();
      CHECK((uintptr_t)taken[i]->trace_id % 8 == 0);
      CHECK(taken[i]->layout_minor_version == 1 && taken[i]->valid == 1);
      CHECK(taken[i]->trace_present == 0);
      taken[i]->trace_present = 1;
      taken[i]->trace_id[0] = (uint8_t)i;
      CHECK(round == 0 || taken[i] <= highest);
      highest = taken[i] > highest ? taken[i] : highest;
    }
    for (int i = 0; i < TAKEN; i++) {
      CHECK(taken[i]->trace_id[0] == (uint8_t)i);
    }
    if (round == 1) {
      pc_record_clear_all();
      CHECK(taken[0]->trace_present == 0 && taken[TAKEN - 1]->trace_present == 0);
    }
    for (int i = 0; i < TAKEN; i++) {
      pc_record_give_back(taken[i]);
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

static void each_update_of_the_process_context_is_later_and_elsewhere(void) {
  uint8_t payload[PC_PROCESS_CONTEXT_PAYLOAD_MAX + 1] = {42};
  CHECK(pc_process_context_publish(payload, 0) == EINVAL);
  CHECK(pc_process_context_publish(payload, sizeof(payload)) == EINVAL);
  for (int round = 0; round < 3; round++) {
    uint64_t last_time = 0, last_address = 0;
    char line[512];
    uintptr_t start = 0;
    for (int i = 0; i < 4; i++) {
      payload[0] = (uint8_t)i;
      CHECK(pc_process_context_publish(payload, sizeof(payload) - 1) == 0);
      FILE *maps = fopen("/proc/self/maps", "r");
      CHECK(maps != NULL);
      int found = 0;
      while (fgets(line, sizeof(line), maps) != NULL) {
        if (strstr(line, "OTEL_CTX") != NULL) {
          start = strtoul(line, NULL, 16);
          found++;
        }
      }
      fclose(maps);
      CHECK(found == 1);
      uint64_t time, address;
      memcpy(&time, (void *)(start + 16), sizeof(time));
      memcpy(&address, (void *)(start + 24), sizeof(address));
      CHECK(memcmp((void *)start, "OTEL_CTX", 8) == 0);
      CHECK(time > last_time && address != last_address);
      CHECK(*(const uint8_t *)(uintptr_t)address == i);
      last_time = time;
      last_address = address;
    }
    pc_process_context_withdraw();
    pc_process_context_withdraw();
  }
}

int main(void) {
  living_threads_never_share_a_record();
  a_new_thread_finds_nothing_of_an_ended_one();
  all_living_threads_are_told_to_show_no_trace();
  a_record_of_the_pool_is_new_each_time_and_used_again();
  process_storage_keeps_its_address();
  each_update_of_the_process_context_is_later_and_elsewhere();
  puts("storage_test: 6 passed");
  return 0;
}

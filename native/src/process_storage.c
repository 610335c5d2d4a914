/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "process_storage.h"

#include <string.h>

#include "profiling_correlation.h"

void *elastic_apm_profiling_correlation_process_storage_v1 = NULL;

static uint8_t storage[PC_PROCESS_STORAGE_MAX];
static int is_taken;

static void set_pointer(void *value) {
  __atomic_store_n(&elastic_apm_profiling_correlation_process_storage_v1, value, __ATOMIC_SEQ_CST);
}

int pc_process_storage_publish(const uint8_t *bytes, size_t length) {
  if (length > sizeof(storage)) {
    return -1;
  }
  if (__atomic_exchange_n(&is_taken, 1, __ATOMIC_SEQ_CST)) {
    return PC_PUBLISHED_BY_ANOTHER;
  }
  memcpy(storage, bytes, length);
  set_pointer(storage);
  return 0;
}

int pc_process_storage_is_published(void) {
  return __atomic_load_n(&is_taken, __ATOMIC_SEQ_CST);
}

void pc_process_storage_withdraw(void) {
  set_pointer(NULL);
  __atomic_store_n(&is_taken, 0, __ATOMIC_SEQ_CST);
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include <string.h>

#include "profiling_correlation.h"

void *elastic_apm_profiling_correlation_process_storage_v1 = NULL;

static uint8_t storage[PC_PROCESS_STORAGE_MAX];
static size_t storage_length;

static void set_pointer(void *value) {
  __atomic_store_n(&elastic_apm_profiling_correlation_process_storage_v1, value, __ATOMIC_SEQ_CST);
}

int pc_process_storage_publish(const uint8_t *bytes, size_t length) {
  if (length > sizeof(storage)) {
    return -1;
  }
  /* The same bytes again are not taken away: a profiler that sees null never looks again. */
  if (length != storage_length || memcmp(storage, bytes, length) != 0) {
    set_pointer(NULL);
    memcpy(storage, bytes, length);
    storage_length = length;
  }
  set_pointer(storage);
  return 0;
}

void pc_process_storage_withdraw(void) { set_pointer(NULL); }

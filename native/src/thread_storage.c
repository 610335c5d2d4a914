/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "profiling_correlation.h"

_Thread_local void *elastic_apm_profiling_correlation_tls_v1 = NULL;

/*
 * Pointer and record are all the thread-local storage of this library: profilers find the pointer
 * only while libc can place both in its small static reserve. The padding puts the three ids,
 * which begin at offset 5 of the record, on 8-byte boundaries.
 */
static _Thread_local struct {
  _Alignas(8) uint8_t padding[3];
  pc_thread_record record;
} own;

_Static_assert(sizeof(own) == 40, "thread-local storage beside the pointer");

/* A profiler interrupts this very thread, so only the compiler could reorder record and pointer. */
static void point_to(pc_thread_record *record) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  *(void *volatile *)&elastic_apm_profiling_correlation_tls_v1 = record;
}

void pc_thread_record_clear(pc_thread_record *record) {
  record->layout_minor_version = PC_LAYOUT_MINOR_VERSION;
  record->trace_present = 0;
  record->valid = 1;
}

pc_thread_record *pc_thread_record_show(void) {
  if (elastic_apm_profiling_correlation_tls_v1 == NULL) {
    pc_thread_record_clear(&own.record);
    point_to(&own.record);
  }
  return &own.record;
}

void pc_thread_record_replace(pc_thread_record *record) { point_to(record); }

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

pc_thread_record *pc_thread_record_show(void) {
  if (elastic_apm_profiling_correlation_tls_v1 == NULL) {
    own.record.layout_minor_version = PC_LAYOUT_MINOR_VERSION;
    own.record.trace_present = 0;
    own.record.valid = 1;
    /* A profiler interrupts this very thread, so only the compiler could reorder the two. */
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    *(void *volatile *)&elastic_apm_profiling_correlation_tls_v1 = &own.record;
  }
  return &own.record;
}

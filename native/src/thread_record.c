/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "thread_record.h"

enum { LAYOUT_MINOR_VERSION = 1 };

void pc_thread_record_hide(pc_thread_record *record) {
  /* A single byte cannot be read half written. */
  *(volatile uint8_t *)&record->trace_present = 0;
}

void pc_thread_record_reset(pc_thread_record *record) {
  pc_thread_record_hide(record);
  /* A profiler interrupts this thread, so only the compiler could reorder the stores. */
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  record->layout_minor_version = LAYOUT_MINOR_VERSION;
  record->valid = 1;
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef THREAD_RECORD_H
#define THREAD_RECORD_H

#include <stddef.h>
#include <stdint.h>

/*
 * What elastic_apm_profiling_correlation_tls_v1 points to, in native endianness.
 *
 * The functions of records, thread contexts, blocks and threads share these verbs:
 *
 *   show      lets the calling thread's pointer lead to memory that shows no trace
 *   point_to  moves the calling thread's pointer, whatever the memory says
 *   hide      makes memory that may be shown say that there is no trace; any thread may do so
 *   reset     hides memory and gives it its first content; only the thread that writes to it may
 */
typedef struct __attribute__((packed)) {
  uint16_t layout_minor_version;
  uint8_t valid;
  uint8_t trace_present;
  uint8_t trace_flags;
  uint8_t trace_id[16];
  uint8_t span_id[8];
  uint8_t transaction_id[8]; /* span id of the local root span */
} pc_thread_record;

_Static_assert(offsetof(pc_thread_record, layout_minor_version) == 0, "layout-minor-version");
_Static_assert(offsetof(pc_thread_record, valid) == 2, "valid");
_Static_assert(offsetof(pc_thread_record, trace_present) == 3, "trace-present");
_Static_assert(offsetof(pc_thread_record, trace_flags) == 4, "trace-flags");
_Static_assert(offsetof(pc_thread_record, trace_id) == 5, "trace-id");
_Static_assert(offsetof(pc_thread_record, span_id) == 21, "span-id");
_Static_assert(offsetof(pc_thread_record, transaction_id) == 29, "transaction-id");
_Static_assert(sizeof(pc_thread_record) == 37, "thread record");

/* Makes a record, which may be shown, show no trace. Thread-safe. */
void pc_thread_record_hide(pc_thread_record *record);

/* Hides a record, and makes it valid. Called by the thread that writes to it. */
void pc_thread_record_reset(pc_thread_record *record);

#endif

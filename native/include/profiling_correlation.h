/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef PROFILING_CORRELATION_H
#define PROFILING_CORRELATION_H

#include <stddef.h>
#include <stdint.h>

#define PC_EXPORT __attribute__((visibility("default")))

#define PC_LAYOUT_MINOR_VERSION 1

#define PC_SERVICE_NAME_MAX 128
#define PC_SERVICE_ENVIRONMENT_MAX 128
#define PC_SOCKET_PATH_MAX 1024
/* layout-minor-version, and three strings, each preceded by its 32-bit length */
#define PC_PROCESS_STORAGE_MAX \
  (2 + 4 + PC_SERVICE_NAME_MAX + 4 + PC_SERVICE_ENVIRONMENT_MAX + 4 + PC_SOCKET_PATH_MAX)

/*
 * The symbols that a profiler looks up, see "Universal profiling integration", sections "Process
 * storage" and "Thread local storage". Both are null, or point to complete memory.
 */
extern PC_EXPORT void *elastic_apm_profiling_correlation_process_storage_v1;
extern PC_EXPORT _Thread_local void *elastic_apm_profiling_correlation_tls_v1;

/* The record that elastic_apm_profiling_correlation_tls_v1 points to, in native endianness. */
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

/*
 * Returns the calling thread's record, which is in its block if it has one. Shows it to profilers,
 * saying "no trace", unless the thread shows one already. The memory is the thread's own and ends
 * with it.
 */
pc_thread_record *pc_thread_record_show(void);

/* Shows another record on the calling thread, or none if it is NULL. */
void pc_thread_record_replace(pc_thread_record *record);

/* Initialises memory as a record that shows no trace. */
void pc_thread_record_clear(pc_thread_record *record);

/* Makes a record, which may be shown, say that there is no trace. Thread-safe. */
void pc_thread_record_show_no_trace(pc_thread_record *record);

/* Does the same for the calling thread's record, and makes its thread contexts invalid. */
void pc_thread_record_forget(void);

/* Does the same for all records in thread-local storage; pc_block_clear_all does it for blocks. */
void pc_thread_record_forget_all(void);

#define PC_PUBLISHED_BY_ANOTHER 1

/*
 * Shows a copy of these bytes (encoded process storage) to profilers, always at the same address.
 * Returns 0, -1 if length exceeds PC_PROCESS_STORAGE_MAX, or PC_PUBLISHED_BY_ANOTHER if another
 * caller has published and not withdrawn yet. Thread-safe.
 */
int pc_process_storage_publish(const uint8_t *bytes, size_t length);

/* Sets the process storage pointer to null. To be called by the caller that has published. */
void pc_process_storage_withdraw(void);

#endif

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef PROTOCOL_H
#define PROTOCOL_H

#include <stddef.h>
#include <stdint.h>

/*
 * The profiling integration protocol, version 1, written from its documentation. Numbers are in the
 * byte order of the machine. A utf8-str is a uint32 length and that many bytes, without a NUL.
 */

#define PROCESS_STORAGE_SYMBOL "elastic_apm_profiling_correlation_process_storage_v1"
#define THREAD_STORAGE_SYMBOL "elastic_apm_profiling_correlation_tls_v1"
#define LIBRARY_PREFIX "elastic-jvmti-linux-"
#define LIBRARY_SUFFIX ".so"

/*
 * Process storage: uint16 layout-minor-version, utf8-str service-name, utf8-str
 * service-environment, utf8-str socket-file-path. The limits are those of the real profiler.
 */
#define SERVICE_NAME_LIMIT 128
#define SERVICE_ENVIRONMENT_LIMIT 128
#define SOCKET_FILE_PATH_LIMIT 1024

/* The record that the thread-local pointer points to. */
struct thread_record {
  uint16_t layout_minor_version;
  uint8_t valid;
  uint8_t trace_present;
  uint8_t trace_flags;
  uint8_t trace_id[16];
  uint8_t span_id[8];
  uint8_t transaction_id[8];
} __attribute__((packed));

_Static_assert(offsetof(struct thread_record, layout_minor_version) == 0, "layout");
_Static_assert(offsetof(struct thread_record, valid) == 2, "layout");
_Static_assert(offsetof(struct thread_record, trace_present) == 3, "layout");
_Static_assert(offsetof(struct thread_record, trace_flags) == 4, "layout");
_Static_assert(offsetof(struct thread_record, trace_id) == 5, "layout");
_Static_assert(offsetof(struct thread_record, span_id) == 21, "layout");
_Static_assert(offsetof(struct thread_record, transaction_id) == 29, "layout");
_Static_assert(sizeof(struct thread_record) == 37, "layout");

#define STACK_TRACE_ID_SIZE 16

#define CORRELATION_MESSAGE_TYPE 1
#define CORRELATION_MESSAGE_MINOR_VERSION 1

struct correlation_message {
  uint16_t message_type;
  uint16_t minor_version;
  uint8_t trace_id[16];
  uint8_t transaction_id[8];
  uint8_t stack_trace_id[STACK_TRACE_ID_SIZE];
  uint16_t count;
} __attribute__((packed));

_Static_assert(offsetof(struct correlation_message, message_type) == 0, "layout");
_Static_assert(offsetof(struct correlation_message, minor_version) == 2, "layout");
_Static_assert(offsetof(struct correlation_message, trace_id) == 4, "layout");
_Static_assert(offsetof(struct correlation_message, transaction_id) == 20, "layout");
_Static_assert(offsetof(struct correlation_message, stack_trace_id) == 28, "layout");
_Static_assert(offsetof(struct correlation_message, count) == 44, "layout");
_Static_assert(sizeof(struct correlation_message) == 46, "layout");

#define REGISTRATION_MESSAGE_TYPE 2
#define REGISTRATION_MESSAGE_MINOR_VERSION 1
#define HOST_ID_LIMIT 1024

struct registration_message {
  uint16_t message_type;
  uint16_t minor_version;
  uint32_t samples_delay_ms;
  uint32_t host_id_length;
  char host_id[HOST_ID_LIMIT]; /* only host_id_length bytes are sent */
} __attribute__((packed));

_Static_assert(offsetof(struct registration_message, message_type) == 0, "layout");
_Static_assert(offsetof(struct registration_message, minor_version) == 2, "layout");
_Static_assert(offsetof(struct registration_message, samples_delay_ms) == 4, "layout");
_Static_assert(offsetof(struct registration_message, host_id_length) == 8, "layout");
_Static_assert(offsetof(struct registration_message, host_id) == 12, "layout");

#endif

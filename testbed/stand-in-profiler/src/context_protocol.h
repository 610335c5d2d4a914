/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef CONTEXT_PROTOCOL_H
#define CONTEXT_PROTOCOL_H

#include <stddef.h>
#include <stdint.h>

/*
 * OpenTelemetry's process context (OTEP 4719) and thread context (OTEP 4947), written from the
 * specifications. If a known reader is stricter than a specification, its limits apply. Numbers are
 * in the byte order of the machine.
 */

#define PROCESS_CONTEXT_NAME "OTEL_CTX"
#define PROCESS_CONTEXT_VERSION 2
#define PROCESS_CONTEXT_PAYLOAD_LIMIT 65536

struct process_context_header {
  uint8_t signature[8];
  uint32_t version;
  uint32_t payload_size;
  uint64_t published_at_ns; /* 0 while it is being changed */
  uint64_t payload_address;
} __attribute__((packed));

_Static_assert(offsetof(struct process_context_header, signature) == 0, "layout");
_Static_assert(offsetof(struct process_context_header, version) == 8, "layout");
_Static_assert(offsetof(struct process_context_header, payload_size) == 12, "layout");
_Static_assert(offsetof(struct process_context_header, published_at_ns) == 16, "layout");
_Static_assert(offsetof(struct process_context_header, payload_address) == 24, "layout");
_Static_assert(sizeof(struct process_context_header) == 32, "layout");

#define SCHEMA_VERSION_KEY "threadlocal.schema_version"
#define KEY_MAP_KEY "threadlocal.attribute_key_map"
#define KEY_MAP_LIMIT 256

#define THREAD_CONTEXT_SYMBOL "otel_thread_ctx_v1"

/* The record that the thread-local pointer points to. The attributes follow it. */
struct thread_context {
  uint8_t trace_id[16];
  uint8_t span_id[8];
  uint8_t valid; /* 1; the record must be ignored if it is anything else */
  uint8_t trace_flags;
  uint16_t attributes_size;
} __attribute__((packed));

_Static_assert(offsetof(struct thread_context, trace_id) == 0, "layout");
_Static_assert(offsetof(struct thread_context, span_id) == 16, "layout");
_Static_assert(offsetof(struct thread_context, valid) == 24, "layout");
_Static_assert(offsetof(struct thread_context, trace_flags) == 25, "layout");
_Static_assert(offsetof(struct thread_context, attributes_size) == 26, "layout");
_Static_assert(sizeof(struct thread_context) == 28, "layout");

#define TRACE_FLAG_SAMPLED 1
#define ATTRIBUTES_SIZE_LIMIT 256

/* Each attribute is a uint8 index in the key map, a uint8 length, and that many bytes of UTF-8. */
#define ATTRIBUTE_HEAD_SIZE 2

#endif

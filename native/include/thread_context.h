/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef THREAD_CONTEXT_H
#define THREAD_CONTEXT_H

#include <stddef.h>
#include <stdint.h>

/*
 * What the thread-local pointer otel_thread_ctx_v1 points to, in native endianness: OTEP 4947,
 * section "Thread-Local Context Record". Ids are in the order of their hexadecimal digits.
 */
typedef struct __attribute__((packed)) {
  uint8_t trace_id[16];
  uint8_t span_id[8];
  uint8_t valid; /* readers ignore everything else unless it is 1 */
  uint8_t trace_flags;
  uint16_t attributes_size; /* in bytes */
  uint8_t attributes[];
} pc_thread_context;

_Static_assert(offsetof(pc_thread_context, trace_id) == 0, "trace-id");
_Static_assert(offsetof(pc_thread_context, span_id) == 16, "span-id");
_Static_assert(offsetof(pc_thread_context, valid) == 24, "valid");
_Static_assert(offsetof(pc_thread_context, trace_flags) == 25, "trace-flags");
_Static_assert(offsetof(pc_thread_context, attributes_size) == 26, "attrs-data-size");
_Static_assert(offsetof(pc_thread_context, attributes) == 28, "attrs-data");
_Static_assert(sizeof(pc_thread_context) == 28, "thread context without attributes");

/* Returns the address of the thread-local pointer of the calling thread. */
typedef void **pc_thread_context_slot(void);

/*
 * From now on, shows thread contexts through the pointer that this function returns. The function
 * belongs to another library, which defines the thread-local pointer, because profilers expect one
 * protocol per library.
 */
void pc_thread_context_use(pc_thread_context_slot *slot);

/* Returns whether such a function has been set. */
int pc_thread_context_is_used(void);

/* Returns the address of the calling thread's pointer, or NULL if no such function has been set. */
void **pc_thread_context_pointer(void);

/* Points the calling thread to another thread context, or to none if it is NULL. */
void pc_thread_context_point_to(pc_thread_context *context);

/* Makes a thread context, which may be shown, invalid. Thread-safe. */
void pc_thread_context_hide(pc_thread_context *context);

/* Hides a thread context, and clears its content. Called by the thread that writes to it. */
void pc_thread_context_reset(pc_thread_context *context);

#endif

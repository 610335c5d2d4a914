/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "thread_context_reader.h"

#include <stdbool.h>

#include "process_memory.h"

static bool is_zero(const uint8_t *bytes, size_t size) {
  for (size_t i = 0; i < size; i++) {
    if (bytes[i] != 0) {
      return false;
    }
  }
  return true;
}

static enum record_state state_of(const struct thread_context *record) {
  bool has_trace = !is_zero(record->trace_id, sizeof record->trace_id);
  bool has_span = !is_zero(record->span_id, sizeof record->span_id);
  if (has_trace != has_span) {
    return RECORD_MALFORMED;
  }
  return has_trace ? RECORD_TRACED : RECORD_NO_TRACE;
}

static enum record_state read_record(pid_t pid, struct context_sample *sample) {
  struct thread_context *record = &sample->record;
  uint8_t valid_after;
  if (!read_memory(pid, sample->pointer, record, sizeof *record)) {
    return RECORD_UNREADABLE;
  }
  if (record->valid != 1) {
    return RECORD_INVALID;
  }
  size_t size = record->attributes_size < ATTRIBUTES_SIZE_LIMIT ? record->attributes_size
                                                                : ATTRIBUTES_SIZE_LIMIT;
  if (size > 0 &&
      !read_memory(pid, sample->pointer + sizeof *record, sample->attributes, size)) {
    return RECORD_UNREADABLE;
  }
  /* Only the stopped thread may write its record, but not every writer follows that rule. */
  if (!read_memory(pid, sample->pointer + offsetof(struct thread_context, valid), &valid_after,
                   sizeof valid_after)) {
    return RECORD_UNREADABLE;
  }
  if (valid_after != 1) {
    return RECORD_INVALID;
  }
  sample->attributes_size = size;
  return state_of(record);
}

void thread_context_read(pid_t pid, const struct tls_variable *variable, uint64_t thread_pointer,
                         struct context_sample *sample) {
  *sample = (struct context_sample){.state = RECORD_UNREADABLE};
  uint64_t address;
  enum tls_result result = tls_variable_address(pid, variable, thread_pointer, &address);
  if (result == TLS_NOT_ALLOCATED) {
    sample->state = RECORD_NO_POINTER;
    return;
  }
  if (result == TLS_UNREADABLE ||
      !read_memory(pid, address, &sample->pointer, sizeof sample->pointer)) {
    return;
  }
  if (sample->pointer == 0) {
    sample->state = RECORD_NO_POINTER;
  } else if (sample->pointer % 2 != 0) {
    sample->state = RECORD_MALFORMED;
  } else {
    sample->state = read_record(pid, sample);
  }
}

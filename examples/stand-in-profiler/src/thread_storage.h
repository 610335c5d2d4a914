/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef THREAD_STORAGE_H
#define THREAD_STORAGE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "protocol.h"
#include "reason.h"
#include "tracer.h"

enum record_state {
  RECORD_UNREADABLE,
  RECORD_NO_POINTER, /* the thread has not published a record */
  RECORD_INVALID,    /* the thread is writing it just now */
  RECORD_NO_TRACE,
  RECORD_TRACED
};

struct thread_sample {
  enum record_state state;
  uint64_t pointer;
  uint64_t program_counter;
  uint64_t expected_span;      /* the bytes of a span id, not a number; 0: none expected */
  struct thread_record record; /* filled unless unreadable or without pointer */
};

/* Finds the offset from the thread pointer to our variable, from the resolved TLS descriptor. */
bool thread_storage_offset(pid_t pid, uint64_t tls_descriptor, int64_t *offset,
                           struct reason *reason);

/* Reads the record of a stopped thread. */
void thread_storage_read(pid_t pid, int64_t offset, const struct stopped_thread *stopped,
                         struct thread_sample *sample);

#endif

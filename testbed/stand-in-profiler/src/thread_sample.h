/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef THREAD_SAMPLE_H
#define THREAD_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "context_protocol.h"
#include "protocol.h"

enum record_state {
  RECORD_UNREADABLE,
  RECORD_NO_POINTER, /* the thread has not published a record */
  RECORD_INVALID,    /* the thread is writing it; OpenTelemetry: or shows no context */
  RECORD_NO_TRACE,
  RECORD_TRACED,
  RECORD_MALFORMED, /* OpenTelemetry: violates the specification */
  RECORD_NOT_READ   /* not requested, or the process has no readable thread contexts (yet) */
};

struct context_sample {
  enum record_state state;
  uint64_t pointer;
  struct thread_context record; /* set unless unreadable, without pointer or at an odd address */
  size_t attributes_size;       /* of the attribute bytes that were read, up to the limit */
  uint8_t attributes[ATTRIBUTES_SIZE_LIMIT];
};

/* Returns whether the bytes of the record were read, whatever their content. */
static inline bool context_has_record(const struct context_sample *sample) {
  return sample->pointer != 0 && sample->pointer % 2 == 0 && sample->state != RECORD_UNREADABLE;
}

/* The state of a thread at one stop. The first fields are about Elastic's record. */
struct thread_sample {
  enum record_state state;
  uint64_t pointer;
  struct thread_record record; /* set unless unreadable or without pointer */
  struct context_sample context;
  uint64_t program_counter;
  uint64_t expected_span; /* the bytes of a span id, not a number; 0: none expected */
};

/* Returns whether Elastic's record shows a trace with a transaction, which can be reported. */
static inline bool shows_transaction(const struct thread_sample *sample) {
  static const uint8_t none[sizeof sample->record.transaction_id];
  return sample->state == RECORD_TRACED &&
         memcmp(sample->record.transaction_id, none, sizeof none) != 0;
}

/* The span to which the stack trace of a sample belongs. */
struct linked_span {
  const uint8_t *trace_id;
  const uint8_t *span_id;
};

/*
 * Finds that span: the transaction of Elastic's record, or the current span of the thread context
 * if only the thread context is read. Returns false if the thread shows neither.
 */
static inline bool find_linked_span(const struct thread_sample *sample, struct linked_span *span) {
  if (shows_transaction(sample)) {
    *span = (struct linked_span){sample->record.trace_id, sample->record.transaction_id};
    return true;
  }
  if (sample->state == RECORD_NOT_READ && sample->context.state == RECORD_TRACED) {
    *span = (struct linked_span){sample->context.record.trace_id, sample->context.record.span_id};
    return true;
  }
  return false;
}

#endif

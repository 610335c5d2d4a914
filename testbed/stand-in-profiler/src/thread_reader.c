/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "thread_reader.h"

#include "thread_context_reader.h"
#include "thread_storage_reader.h"

static void read_records(const struct thread_reader *reader, const struct stopped_thread *stopped,
                         struct thread_sample *sample) {
  struct thread_registers registers;
  sample->state = reader->tls_offset == NULL ? RECORD_NOT_READ : RECORD_UNREADABLE;
  sample->context.state = reader->contexts == NULL ? RECORD_NOT_READ : RECORD_UNREADABLE;
  /*
   * A thread's thread pointer never changes, but thread ids are reused. Reading the pointer each
   * time costs a microsecond and is always correct.
   */
  if (!tracer_registers(stopped, &registers)) {
    return;
  }
  sample->program_counter = registers.program_counter;
  if (reader->tls_offset != NULL) {
    thread_storage_read(reader->pid, *reader->tls_offset, registers.thread_pointer, sample);
  }
  if (reader->contexts != NULL) {
    thread_context_read(reader->pid, reader->contexts, registers.thread_pointer,
                        &sample->context);
  }
}

bool thread_reader_sample(const struct thread_reader *reader, pid_t tid,
                          const volatile uint64_t *expected, struct thread_sample *sample) {
  struct stopped_thread stopped;
  if (!tracer_stop(reader->tracer, tid, &stopped)) {
    return false;
  }
  *sample = (struct thread_sample){0};
  read_records(reader, &stopped, sample);
  sample->expected_span = expected == NULL ? 0 : *expected;
  tracer_release(reader->tracer, &stopped);
  return true;
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef THREAD_READER_H
#define THREAD_READER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "thread_sample.h"
#include "tls_variable.h"
#include "tracer.h"

/* A process, and the records of its threads to read. */
struct thread_reader {
  pid_t pid;
  struct tracer *tracer;
  const int64_t *tls_offset;           /* null: Elastic's record is not read */
  const struct tls_variable *contexts; /* null: OpenTelemetry's record is not read */
};

/*
 * Stops a thread, reads its records and resumes it. Returns false if the thread could not be
 * stopped. The slot of its expected span, unless null, is read while the thread is stopped.
 */
bool thread_reader_sample(const struct thread_reader *reader, pid_t tid,
                          const volatile uint64_t *expected, struct thread_sample *sample);

#endif

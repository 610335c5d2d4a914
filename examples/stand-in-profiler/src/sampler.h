/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef SAMPLER_H
#define SAMPLER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "counters.h"
#include "expected_spans.h"
#include "jvm_attach.h"
#include "messages.h"
#include "options.h"
#include "output.h"
#include "thread_storage.h"
#include "threads.h"
#include "tracer.h"

/* A thread that was found in a trace, until its stack is known. */
struct traced_thread {
  pid_t tid;
  struct thread_sample sample;
};

struct sampler {
  const struct options *options;
  pid_t pid;
  int64_t tls_offset;
  struct tracer *tracer;
  struct counters *counters;
  struct messages *messages;
  struct output *output;
  struct expected_spans expected;
  struct thread_list threads;
  struct traced_thread *traced;
  size_t traced_count;
  size_t traced_capacity;
  struct thread_dump dump;
  bool dump_worked;
  bool dump_failure_told;
};

/*
 * Stops a thread, reads its record and resumes it; returns false if it could not be stopped. The
 * slot of its expected span, if there is one, is read while it is stopped.
 */
bool sample_thread(struct tracer *tracer, pid_t pid, int64_t tls_offset, pid_t tid,
                   const volatile uint64_t *expected, struct thread_sample *sample);

/* Samples all chosen threads once and reports them. Returns false with the reason to give up. */
bool sampler_tick(struct sampler *sampler, struct reason *reason);

void sampler_close(struct sampler *sampler);

#endif

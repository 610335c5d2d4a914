/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef PROFILE_SAMPLES_H
#define PROFILE_SAMPLES_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "code_mappings.h"
#include "exporter.h"
#include "java_stacks.h"
#include "options.h"
#include "thread_sample.h"
#include "threads.h"

/* A thread as it was at one stop, until its stack is known. */
struct sampled_thread {
  struct thread thread;
  uint64_t unix_ns;
  struct thread_sample sample;
};

/* The way of samples to the exporter. */
struct profile_samples {
  struct exporter exporter;
  struct code_mappings code;
  uint64_t moved_on; /* not exported: no Link, but a trace was shown when the stack was taken */
  char executable[PATH_MAX];
};

/* The name of the service has to live as long as the samples. */
bool profile_samples_open(struct profile_samples *samples, const struct options *options, pid_t pid,
                          const char *service_name, struct reason *reason);

/* Waits for the last export, for some seconds at most. */
void profile_samples_close(struct profile_samples *samples, struct tracer *tracer);

/*
 * Exports a sample with its Java stack, or with the address of the instruction as its stack. With
 * null instead of the samples, nothing is exported.
 */
void profile_java_stack(struct profile_samples *samples, const struct sampled_thread *sampled,
                        const struct java_stack *stack);
void profile_instruction(struct profile_samples *samples, const struct sampled_thread *sampled);

#endif

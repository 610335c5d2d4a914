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

/* A stopped thread whose stack is not known yet. */
struct sampled_thread {
  struct thread thread;
  uint64_t unix_ns;
  struct thread_sample sample;
};

/* Converts samples and passes them to the exporter. */
struct profile_samples {
  struct exporter exporter;
  struct code_mappings code;
  uint64_t moved_on; /* not exported: no trace at the stop, but one when the stack was taken */
  char executable[PATH_MAX];
};

/* The service name must outlive the samples. */
bool profile_samples_open(struct profile_samples *samples, const struct options *options, pid_t pid,
                          const char *service_name, struct reason *reason);

/* Waits for the last export for a few seconds at most. */
void profile_samples_close(struct profile_samples *samples, struct tracer *tracer);

/*
 * Exports a sample with its Java stack, or with the address of the instruction as its stack. Does
 * nothing if "samples" is null.
 */
void profile_java_stack(struct profile_samples *samples, const struct sampled_thread *sampled,
                        const struct java_stack *stack);
void profile_instruction(struct profile_samples *samples, const struct sampled_thread *sampled);

#endif

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef PROFILE_SAMPLES_H
#define PROFILE_SAMPLES_H

#include <stdint.h>
#include <sys/types.h>

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

/* Passes samples to the exporter. */
struct profile_samples {
  struct exporter exporter;
  uint64_t moved_on; /* not exported: no trace at the stop, but one when the stack was taken */
};

/* Describes the process, before its first sample. */
void profile_source(struct profile_samples *samples, const struct options *options, pid_t pid,
                    const char *service_name);

/* Exports a sample. Without a Java stack, its stack is the address of the instruction. */
void profile_sample(struct profile_samples *samples, const struct sampled_thread *sampled,
                    const struct java_stack *stack);

#endif

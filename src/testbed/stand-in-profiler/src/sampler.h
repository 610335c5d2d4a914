/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef SAMPLER_H
#define SAMPLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "context_attachment.h"
#include "context_counters.h"
#include "counters.h"
#include "expected_spans.h"
#include "jvm_attach.h"
#include "messages.h"
#include "options.h"
#include "output.h"
#include "profile_samples.h"
#include "thread_reader.h"
#include "threads.h"

struct sampler {
  const struct options *options;
  struct thread_reader reader;
  struct counters *counters;
  uint64_t traced; /* samples that --samples counts */
  struct context_attachment *contexts; /* null: OpenTelemetry's records are not read */
  struct context_counters *context_counters;
  struct messages *messages;
  struct output *output;
  struct profile_samples *profiles; /* null: nothing is exported */
  struct expected_spans expected;
  struct thread_list threads;
  struct sampled_thread *sampled; /* those to be reported */
  size_t sampled_count;
  size_t sampled_capacity;
  struct thread_dump dump;
  bool dump_worked;
  bool dump_failure_told;
};

/* Samples all chosen threads once and reports them. Returns false with the reason to give up. */
bool sampler_tick(struct sampler *sampler, struct reason *reason);

/* Returns whether as many samples were traced as the options ask for. */
bool sampler_has_enough(const struct sampler *sampler);

void sampler_close(struct sampler *sampler);

#endif

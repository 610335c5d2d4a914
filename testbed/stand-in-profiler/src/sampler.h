/*
 * Copyright The Flamespan Authors
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
  struct sampled_thread *sampled; /* samples to be reported */
  size_t sampled_count;
  size_t sampled_capacity;
  struct thread_dump dump;
  bool dump_worked;
  bool dump_failure_told;
};

/* Samples and reports all selected threads once. Returns false with the reason on failure. */
bool sampler_tick(struct sampler *sampler, struct reason *reason);

/* Returns whether the requested number of samples was traced. */
bool sampler_has_enough(const struct sampler *sampler);

void sampler_close(struct sampler *sampler);

#endif

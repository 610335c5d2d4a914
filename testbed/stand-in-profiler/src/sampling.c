/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "sampling.h"

#include <stdlib.h>

#include "proc_files.h"
#include "sampler.h"
#include "waiting.h"

#define LOOK_FOR_END_NS (20 * NS_PER_MS)
#define DYING_NS (200 * NS_PER_MS)
#define LONGEST_DYING_NS (30000 * NS_PER_MS)

uint64_t sampling_deadline(const struct options *options) {
  return options->duration == 0 ? UINT64_MAX : now_ns() + seconds_to_ns(options->duration);
}

/* Returns the next tick, 0.5 to 1.5 periods later, so that ticks do not align with the process. */
static uint64_t next_tick(uint64_t last, double rate) {
  return rate == 0 ? 0 : last + seconds_to_ns((0.5 + drand48()) / rate);
}

bool sampling_wait(struct session *session, uint64_t moment) {
  bool going_on;
  do {
    uint64_t next = now_ns() + LOOK_FOR_END_NS;
    going_on = wait_until(next < moment ? next : moment);
    tracer_release_late(&session->tracer);
  } while (going_on && now_ns() < moment && !target_ended(&session->target));
  return going_on;
}

/* When a process ends, it loses its memory first; the rest may take a long time on busy CPUs. */
static bool has_memory(pid_t pid) {
  char path[64], status[4096], size[32];
  snprintf(path, sizeof path, "/proc/%d/status", pid);
  return read_proc_file(path, status, sizeof status) &&
         status_value(status, "VmSize", size, sizeof size) != NULL;
}

enum ending sampling_failed(struct session *session) {
  uint64_t latest = now_ns() + LONGEST_DYING_NS;
  sampling_wait(session, now_ns() + DYING_NS);
  if (!target_ended(&session->target) && !has_memory(session->target.pid)) {
    sampling_wait(session, latest);
  }
  return target_ended(&session->target) ? ENDING_TARGET_ENDED : ENDING_FAILED;
}

struct thread_reader session_reader(struct session *session) {
  return (struct thread_reader){
      .pid = session->target.pid,
      .tracer = &session->tracer,
      .tls_offset = reads_elastic(session) ? &session->attachment.tls_offset : NULL,
      .contexts = session->contexts.attached ? &session->contexts.variable : NULL};
}

enum ending sampling_run(struct session *session) {
  struct sampler sampler = {.options = &session->options,
                            .reader = session_reader(session),
                            .contexts = reads_otel(session) ? &session->contexts : NULL,
                            .context_counters = &session->context_counters,
                            .counters = &session->counters,
                            .messages = &session->messages,
                            .output = &session->output,
                            .profiles = session->options.otlp_url != NULL ? &session->profiles : NULL,
                            .expected = {.path = session->options.expected_path,
                                         .pid = session->target.pid}};
  const struct options *options = &session->options;
  uint64_t begin = now_ns(), deadline = sampling_deadline(options), tick = begin;
  enum ending ending = ENDING_STOPPED;
  while (now_ns() < deadline) {
    if (target_ended(&session->target)) {
      ending = ENDING_TARGET_ENDED;
      break;
    }
    if (!sampler_tick(&sampler, &session->reason)) {
      ending = sampling_failed(session);
      break;
    }
    if (sampler_has_enough(&sampler)) {
      break;
    }
    tick = next_tick(tick, options->rate);
    if (tick < now_ns()) {
      tick = now_ns(); /* late: continue from now instead of catching up in a burst */
    }
    if (!sampling_wait(session, tick < deadline ? tick : deadline)) {
      break;
    }
  }
  session->summary.seconds = (double)(now_ns() - begin) / 1e9;
  sampler_close(&sampler);
  return ending;
}

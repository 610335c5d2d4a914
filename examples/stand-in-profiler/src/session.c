/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "session.h"

#include <stdlib.h>

#include "sampler.h"
#include "show.h"
#include "waiting.h"

#define ATTACH_RETRY_NS (20 * NS_PER_MS)
#define LOOK_FOR_END_NS (20 * NS_PER_MS)
#define LAST_RETRY_NS NS_PER_SECOND
#define DYING_NS (200 * NS_PER_MS)

static uint64_t seconds_to_ns(double seconds) { return (uint64_t)(seconds * 1e9); }

/* Returns the time at which the sampling ends. */
static uint64_t sampling_deadline(const struct options *options) {
  return options->duration == 0 ? UINT64_MAX : now_ns() + seconds_to_ns(options->duration);
}

/* Returns the next tick, 0.5 to 1.5 periods later, so not in step with the process. */
static uint64_t next_tick(uint64_t last, double rate) {
  return rate == 0 ? 0 : last + seconds_to_ns((0.5 + drand48()) / rate);
}

/* Sleeps until the moment; returns false if the target ends or we are asked to stop. */
static bool wait_with_target(struct session *session, uint64_t moment) {
  bool going_on;
  do {
    uint64_t next = now_ns() + LOOK_FOR_END_NS;
    going_on = wait_until(next < moment ? next : moment);
    tracer_release_late(&session->tracer);
  } while (going_on && now_ns() < moment && !target_ended(&session->target));
  return going_on;
}

/* A process that is being killed fails in many ways before it has ended. */
static enum ending failed(struct session *session) {
  wait_with_target(session, now_ns() + DYING_NS);
  return target_ended(&session->target) ? ENDING_TARGET_ENDED : ENDING_FAILED;
}

static enum ending sample_until_over(struct session *session) {
  struct sampler sampler = {.options = &session->options,
                            .pid = session->target.pid,
                            .tls_offset = session->attachment.tls_offset,
                            .tracer = &session->tracer,
                            .counters = &session->counters,
                            .messages = &session->messages,
                            .output = &session->output,
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
      ending = failed(session);
      break;
    }
    if (options->samples_limit != 0 && session->counters.traced >= options->samples_limit) {
      break;
    }
    tick = next_tick(tick, options->rate);
    if (tick < now_ns()) {
      tick = now_ns(); /* late: continue from here instead of catching up in a burst */
    }
    if (!wait_with_target(session, tick < deadline ? tick : deadline)) {
      break;
    }
  }
  session->summary.seconds = (double)(now_ns() - begin) / 1e9;
  sampler_close(&sampler);
  return ending;
}

/* Gives the receiver a last chance to make room for waiting messages. */
static void finish_messages(struct session *session) {
  uint64_t deadline = now_ns() + LAST_RETRY_NS;
  while (session->messages.unsent_count > 0 && now_ns() < deadline &&
         !target_ended(&session->target)) {
    messages_retry(&session->messages);
    wait_until(now_ns() + LOOK_FOR_END_NS);
  }
  messages_close(&session->messages);
}

static enum ending sample_session(struct session *session) {
  const struct options *options = &session->options;
  if (!messages_open(&session->messages, session->target.pid,
                     session->attachment.storage.socket_file_path, options->retry_send,
                     &session->reason)) {
    return ENDING_FAILED;
  }
  session->summary.attached = true;
  say("attached to process %d, service \"%s\", after %llu ms", session->target.pid,
      session->attachment.storage.service_name, (unsigned long long)session->summary.attach_ms);
  if (options->registration) {
    session->summary.registered = messages_register(
        &session->messages, options->samples_delay_ms, options->host_id, &session->reason);
    if (!session->summary.registered) {
      say("%s", session->reason.text);
    }
  }
  enum ending ending = sample_until_over(session);
  finish_messages(session);
  return ending;
}

/* Does nothing, like the real profiler after a null pointer, as seen by the process. */
static enum ending idle(struct session *session) {
  wait_with_target(session, sampling_deadline(&session->options));
  return target_ended(&session->target) ? ENDING_TARGET_ENDED : ENDING_STOPPED;
}

static enum ending null_at_attach(struct session *session) {
  if (session->target.is_child) {
    say("the process storage pointer is null at the attach: not sampling (see --retry-null)");
    return idle(session);
  }
  because(&session->reason, "the process storage pointer is null at the attach (see --retry-null)");
  return ENDING_FAILED;
}

static enum ending show_session(struct session *session, bool has_storage) {
  show(session->target.pid, &session->attachment, has_storage, &session->options.threads,
       &session->tracer);
  return ENDING_STOPPED;
}

enum ending session_run(struct session *session) {
  const struct options *options = &session->options;
  uint64_t begin = now_ns(), deadline = begin + seconds_to_ns(options->attach_timeout);
  do {
    if (target_ended(&session->target)) {
      return ENDING_TARGET_ENDED;
    }
    switch (attach_to(session->target.pid, &session->attachment, &session->reason)) {
      case ATTACH_DONE:
        session->summary.attach_ms = (now_ns() - begin) / NS_PER_MS;
        return options->show ? show_session(session, true) : sample_session(session);
      case ATTACH_NULL_STORAGE:
        session->counters.null_at_attach++;
        if (!options->retry_null) {
          return options->show ? show_session(session, false) : null_at_attach(session);
        }
        break;
      case ATTACH_NO_LIBRARY:
        break;
      case ATTACH_FAILED:
        return failed(session);
    }
    if (now_ns() >= deadline) {
      because(&session->reason, "process %d %s after %.1f s", session->target.pid,
              session->counters.null_at_attach > 0
                  ? "still has a null process storage pointer"
                  : "has not loaded a library " LIBRARY_PREFIX "*" LIBRARY_SUFFIX,
              options->attach_timeout);
      return ENDING_FAILED;
    }
  } while (wait_until(now_ns() + ATTACH_RETRY_NS));
  return ENDING_STOPPED;
}

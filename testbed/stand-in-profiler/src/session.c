/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "session.h"

#include "sampling.h"
#include "show.h"
#include "waiting.h"

#define ATTACH_RETRY_NS (20 * NS_PER_MS)
#define RETRY_SEND_NS (20 * NS_PER_MS)
#define LAST_RETRY_NS NS_PER_SECOND

/* Gives the receiver time to make room for the unsent messages. */
static void finish_messages(struct session *session) {
  uint64_t deadline = now_ns() + LAST_RETRY_NS;
  while (session->messages.unsent_count > 0 && now_ns() < deadline &&
         !target_ended(&session->target)) {
    messages_retry(&session->messages);
    wait_until(now_ns() + RETRY_SEND_NS);
  }
  messages_close(&session->messages);
}

/* OpenTelemetry's protocol does not have messages. */
static enum ending sample_session(struct session *session) {
  const struct options *options = &session->options;
  const char *service_name = reads_elastic(session) ? session->attachment.storage.service_name
                                                    : session->contexts.keys.service_name;
  if (reads_elastic(session) &&
      !messages_open(&session->messages, session->target.pid,
                     session->attachment.storage.socket_file_path, options->retry_send,
                     &session->reason)) {
    return ENDING_FAILED;
  }
  session->summary.attached = true;
  say("attached to process %d, service \"%s\", after %llu ms", session->target.pid, service_name,
      (unsigned long long)session->summary.attach_ms);
  if (reads_elastic(session) && options->registration) {
    session->summary.registered = messages_register(
        &session->messages, options->samples_delay_ms, options->host_id, &session->reason);
    if (!session->summary.registered) {
      say("%s", session->reason.text);
    }
  }
  if (options->otlp_url != NULL) {
    profile_source(&session->profiles, options, session->target.pid, service_name);
  }
  enum ending ending = sampling_run(session);
  if (reads_elastic(session)) {
    finish_messages(session);
  }
  return ending;
}

/* Leaves the process alone, like the real profiler after a null pointer. */
static enum ending idle(struct session *session) {
  sampling_wait(session, sampling_deadline(&session->options));
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
  if (reads_otel(session)) {
    context_attachment_look(session->target.pid, &session->contexts);
  }
  struct thread_reader reader = session_reader(session);
  struct shown shown = {.attachment = reads_elastic(session) ? &session->attachment : NULL,
                        .has_storage = has_storage,
                        .contexts = reads_otel(session) ? &session->contexts : NULL,
                        .reader = &reader};
  show(&shown, &session->options.threads);
  return ENDING_STOPPED;
}

static enum attach_result attach(struct session *session) {
  if (reads_elastic(session)) {
    return attach_to(session->target.pid, &session->attachment, &session->reason);
  }
  return context_attachment_look(session->target.pid, &session->contexts) ? ATTACH_DONE
                                                                          : ATTACH_NO_LIBRARY;
}

static enum ending too_late(struct session *session, enum attach_result last) {
  pid_t pid = session->target.pid;
  double seconds = session->options.attach_timeout;
  struct reason detail = reads_elastic(session) ? session->reason : session->contexts.reason;
  struct reason *reason = &session->reason;
  if (!reads_elastic(session)) {
    because(reason, "process %d has no readable thread contexts: %.900s after %.1f s", pid,
            detail.text, seconds);
  } else if (last == ATTACH_NOT_LOADED) {
    because(reason, "process %d, after %.1f s: %.900s", pid, seconds, detail.text);
  } else if (last == ATTACH_NULL_STORAGE) {
    because(reason, "process %d still has a null process storage pointer after %.1f s", pid,
            seconds);
  } else {
    because(reason, "process %d has not loaded a library " LIBRARY_PREFIX "*" LIBRARY_SUFFIX
            " after %.1f s", pid, seconds);
  }
  return ENDING_FAILED;
}

enum ending session_run(struct session *session) {
  const struct options *options = &session->options;
  uint64_t begin = now_ns(), deadline = begin + seconds_to_ns(options->attach_timeout);
  do {
    if (target_ended(&session->target)) {
      return ENDING_TARGET_ENDED;
    }
    enum attach_result result = attach(session);
    switch (result) {
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
      case ATTACH_NOT_LOADED:
        break;
      case ATTACH_FAILED:
        return sampling_failed(session);
    }
    if (now_ns() >= deadline) {
      return too_late(session, result);
    }
  } while (wait_until(now_ns() + ATTACH_RETRY_NS));
  return ENDING_STOPPED;
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "delivery.h"

#include <inttypes.h>
#include <time.h>

#include "exporter.h"
#include "export_answer.h"
#include "waiting.h"

/* The end takes up to three attempts: two with the current batch and one with the last. */
#define ATTEMPT_NS (3 * NS_PER_SECOND)
#define TELL_AGAIN_NS (60 * NS_PER_SECOND)

/* Reports a failure, unless one was reported within the last minute. Called with the lock. */
static void tell_failure(struct exporter *exporter, const char *what_next,
                         const struct reason *reason) {
  static uint64_t tell_next_ns;
  exporter->counters.failures++;
  if (now_ns() < tell_next_ns) {
    return;
  }
  tell_next_ns = now_ns() + TELL_AGAIN_NS;
  say("cannot export profiles to http://%s%s: %.500s; %s (failed %" PRIu64
      " times; reported once a minute, and counted in the summary)",
      exporter->url->authority, exporter->url->path, reason->text, what_next,
      exporter->counters.failures);
}

/* Waits for the next attempt or the end. Called with the lock, which it releases meanwhile. */
static void wait_for_next_attempt(struct exporter *exporter) {
  uint64_t deadline = now_ns() + exporter->interval_ns;
  struct timespec until = {.tv_sec = (time_t)(deadline / NS_PER_SECOND),
                           .tv_nsec = (long)(deadline % NS_PER_SECOND)};
  while (!exporter->ending && now_ns() < deadline) {
    pthread_cond_timedwait(&exporter->changed, &exporter->lock, &until);
  }
}

static enum export_result attempt(struct exporter *exporter, const struct protobuf_writer *request,
                                  uint64_t *rejected_profiles, struct reason *reason) {
  static struct http_response response;
  if (request->failed) {
    because(reason, "no memory for the request");
    return EXPORT_REFUSED;
  }
  struct http_body body = {
      .headers = OTLP_HEADERS, .bytes = request->bytes, .size = request->size};
  return http_post(exporter->url, &body, now_ns() + ATTEMPT_NS, &response, reason)
             ? export_answer_judge(&response.answer, rejected_profiles, reason)
             : EXPORT_AGAIN;
}

/* Called with the lock, which it releases during the attempts. */
static void deliver(struct exporter *exporter, const struct protobuf_writer *request) {
  size_t samples = exporter->delivering->event_count;
  for (;;) {
    bool last = exporter->ending;
    uint64_t rejected_profiles = 0;
    struct reason reason;
    pthread_mutex_unlock(&exporter->lock);
    enum export_result result = attempt(exporter, request, &rejected_profiles, &reason);
    pthread_mutex_lock(&exporter->lock);
    if (exporter->finished) {
      return; /* too late: these samples are counted as lost */
    }
    if (result == EXPORT_DONE) {
      exporter->counters.batches++;
      exporter->counters.delivered += samples;
      return;
    }
    exporter->counters.rejected_profiles += rejected_profiles;
    if (result == EXPORT_REFUSED || last) {
      tell_failure(exporter, "these samples are lost", &reason);
      exporter->counters.lost += samples;
      return;
    }
    tell_failure(exporter, "it will be retried", &reason);
    wait_for_next_attempt(exporter);
  }
}

void *delivery_run(void *argument) {
  struct exporter *exporter = argument;
  pthread_mutex_lock(&exporter->lock);
  while (!exporter->finished) {
    if (exporter->delivering == NULL) {
      pthread_cond_wait(&exporter->changed, &exporter->lock);
      continue;
    }
    struct protobuf_writer request = {0};
    pthread_mutex_unlock(&exporter->lock);
    profile_batch_write(exporter->delivering, &exporter->source, exporter->delivering_end_unix_ns,
                        &request);
    pthread_mutex_lock(&exporter->lock);
    deliver(exporter, &request);
    protobuf_free(&request);
    exporter->delivering = NULL;
    pthread_cond_broadcast(&exporter->changed);
  }
  pthread_mutex_unlock(&exporter->lock);
  return NULL;
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "exporter.h"

#include <string.h>
#include <time.h>

#include "delivery.h"
#include "waiting.h"

/* Longer than the attempts, unless looking up the receiver's name takes longer. */
#define CLOSE_NS (10 * NS_PER_SECOND)
#define LOOK_AGAIN_NS (20 * NS_PER_MS)

uint64_t unix_now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (uint64_t)now.tv_sec * NS_PER_SECOND + (uint64_t)now.tv_nsec;
}

bool exporter_open(struct exporter *exporter, const struct http_url *url, double interval,
                   const struct profile_source *source, struct reason *reason) {
  exporter->url = url;
  exporter->source = *source;
  exporter->interval_ns = seconds_to_ns(interval);
  exporter->due_ns = now_ns() + exporter->interval_ns;
  exporter->filling = &exporter->batches[0];
  profile_batch_begin(exporter->filling, unix_now_ns());
  pthread_condattr_t clock;
  pthread_condattr_init(&clock);
  pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
  pthread_cond_init(&exporter->changed, &clock);
  pthread_condattr_destroy(&clock);
  pthread_mutex_init(&exporter->lock, NULL);
  /* All relevant signals are already blocked, and remain so in the new thread. */
  int error = pthread_create(&exporter->thread, NULL, delivery_run, exporter);
  exporter->running = error == 0;
  return exporter->running ||
         because(reason, "cannot start the export thread: %s", strerror(error));
}

void exporter_add(struct exporter *exporter, const struct profile_sample *sample) {
  if (profile_batch_add(exporter->filling, sample)) {
    exporter->counters.samples++;
    exporter->counters.linked += sample->link != 0;
  } else {
    exporter->counters.dropped++;
  }
}

/* Returns false if the previous batch is still being delivered. Called with the lock. */
static bool hand_over(struct exporter *exporter) {
  if (exporter->delivering != NULL) {
    return false;
  }
  struct profile_batch *full = exporter->filling;
  exporter->filling = full == &exporter->batches[0] ? &exporter->batches[1] : &exporter->batches[0];
  profile_batch_begin(exporter->filling, unix_now_ns());
  if (full->event_count > 0) {
    exporter->delivering = full;
    exporter->delivering_end_unix_ns = unix_now_ns();
    pthread_cond_broadcast(&exporter->changed);
  }
  return true;
}

void exporter_tick(struct exporter *exporter) {
  bool due = now_ns() >= exporter->due_ns ||
             profile_batch_size(exporter->filling) >= PROFILE_BATCH_SIZE_LIMIT / 2;
  if (!due) {
    return;
  }
  pthread_mutex_lock(&exporter->lock);
  if (hand_over(exporter)) {
    exporter->due_ns = now_ns() + exporter->interval_ns;
  }
  pthread_mutex_unlock(&exporter->lock);
}

static struct timespec timespec_of(uint64_t time_ns) {
  return (struct timespec){.tv_sec = (time_t)(time_ns / NS_PER_SECOND),
                           .tv_nsec = (long)(time_ns % NS_PER_SECOND)};
}

/* Returns whether the other thread has delivered or given up its batch. Called with the lock. */
static bool wait_until_idle(struct exporter *exporter, struct tracer *tracer,
                            uint64_t deadline_ns) {
  while (exporter->delivering != NULL && now_ns() < deadline_ns) {
    struct timespec next = timespec_of(now_ns() + LOOK_AGAIN_NS);
    pthread_cond_timedwait(&exporter->changed, &exporter->lock, &next);
    tracer_release_late(tracer);
  }
  return exporter->delivering == NULL;
}

void exporter_close(struct exporter *exporter, struct tracer *tracer) {
  if (!exporter->running) {
    return;
  }
  uint64_t deadline = now_ns() + CLOSE_NS;
  pthread_mutex_lock(&exporter->lock);
  exporter->ending = true;
  pthread_cond_broadcast(&exporter->changed);
  bool idle = wait_until_idle(exporter, tracer, deadline) && hand_over(exporter) &&
              wait_until_idle(exporter, tracer, deadline);
  if (!idle) {
    exporter->counters.lost = exporter->counters.samples - exporter->counters.delivered;
    say("the last export to http://%s%s did not end within %llu seconds: its samples are lost",
        exporter->url->authority, exporter->url->path, CLOSE_NS / NS_PER_SECOND);
  }
  exporter->finished = true;
  pthread_cond_broadcast(&exporter->changed);
  pthread_mutex_unlock(&exporter->lock);
  if (idle) {
    pthread_join(exporter->thread, NULL);
    profile_batch_free(&exporter->batches[0]);
    profile_batch_free(&exporter->batches[1]);
  }
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef EXPORTER_H
#define EXPORTER_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "http_post.h"
#include "profile_batch.h"
#include "reason.h"
#include "tracer.h"

struct export_counters {
  uint64_t samples;   /* added to a batch */
  uint64_t linked;    /* those of them with a Link */
  uint64_t dropped;   /* not added, because the batch was full */
  uint64_t delivered; /* samples of batches that the receiver accepted */
  uint64_t lost;      /* samples of the other batches */
  uint64_t batches;   /* delivered batches */
  uint64_t failures;  /* failed attempts to deliver a batch */
  uint64_t rejected_profiles;
};

/*
 * Exports batches of samples to one URL. The sampling thread fills one batch while another thread
 * delivers the previous one, however long that takes. If the batch fills up meanwhile, further
 * samples are dropped.
 */
struct exporter {
  const struct http_url *url;
  uint64_t interval_ns;
  struct profile_source source;
  struct export_counters counters; /* those that both threads change need the lock */
  struct profile_batch batches[2];
  struct profile_batch *filling; /* by the sampling thread */
  uint64_t due_ns;

  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  struct profile_batch *delivering; /* null: the other thread is idle */
  uint64_t delivering_end_unix_ns;
  bool ending;   /* the next failed attempt is the last */
  bool finished; /* no further batch will follow */
  bool running;
};

bool exporter_open(struct exporter *exporter, const struct http_url *url, double interval,
                   const struct profile_source *source, struct reason *reason);

/* Returns the batch to which a sample is to be added. */
static inline struct profile_batch *exporter_batch(struct exporter *exporter) {
  return exporter->filling;
}

void exporter_add(struct exporter *exporter, const struct profile_sample *sample);

/* Hands the batch over if it is due and the previous one is delivered. Never waits. */
void exporter_tick(struct exporter *exporter);

/* Tries to deliver the remaining samples for a few seconds, and counts the rest as lost. */
void exporter_close(struct exporter *exporter, struct tracer *tracer);

uint64_t unix_now_ns(void);

#endif

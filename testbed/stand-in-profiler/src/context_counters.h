/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef CONTEXT_COUNTERS_H
#define CONTEXT_COUNTERS_H

#include <stddef.h>
#include <stdint.h>

#include "agreement.h"
#include "counters.h"
#include "thread_sample.h"

/* Counts of samples of OpenTelemetry thread contexts. */
struct context_counters {
  uint64_t states[RECORD_NOT_READ + 1]; /* the sum of all is the number of samples */
  uint64_t unsampled;                   /* traced, but flagged as not sampled */
  uint64_t unknown_keys;                /* attributes that were dropped */
  uint64_t not_utf8;                    /* attributes that were dropped */
  uint64_t cut_by_writer;               /* records whose last attribute is cut */
  uint64_t cut_by_limit;                /* records with more attributes than a reader accepts */
  struct expected_counters expected;
  uint64_t agreements[AGREEMENTS]; /* with both protocols, the sum is the number of samples */
  uint64_t only_elastic_invalid;   /* of only_elastic: valid = 0, so perhaps being written */
  uint64_t only_otel_invalid;      /* of only_otel_…: valid = 0 in Elastic's record */
};

/* Counts the state and the attributes of a record. */
void context_counters_add(struct context_counters *counters, const struct context_sample *sample,
                          size_t key_count);

/* Counts the agreement of both records, and prints the first disagreements. */
void context_counters_compare(struct context_counters *counters, int tid,
                              const struct thread_sample *sample);

#endif

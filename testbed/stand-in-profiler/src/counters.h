/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef COUNTERS_H
#define COUNTERS_H

#include <stdint.h>

/* Samples of threads with an expected span: "all" is the sum of the others. */
struct expected_counters {
  uint64_t all;
  uint64_t shown;
  uint64_t none;    /* not traced, as expected */
  uint64_t missing; /* not traced, although a span was expected */
  uint64_t other;   /* traced, but with another span id */
};

struct counters {
  uint64_t null_at_attach;
  uint64_t ticks;
  uint64_t not_stopped; /* threads that ended or could not be stopped in time */
  uint64_t samples;     /* stopped and read; with Elastic's protocol, the sum of the next 5 */
  uint64_t unreadable;
  uint64_t no_pointer;
  uint64_t invalid;
  uint64_t no_trace;
  uint64_t traced;
  struct expected_counters expected;
  uint64_t no_transaction; /* traced, but the transaction id is zero: nothing to report */
  uint64_t no_stack;       /* traced, but no dump, or no Java stack in it */
  uint64_t moved_on;       /* traced, but the record had changed after the dump */
  uint64_t sent;
  uint64_t lost_queue_full;
  uint64_t send_errors;
};

#endif

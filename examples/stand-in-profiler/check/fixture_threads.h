/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef FIXTURE_THREADS_H
#define FIXTURE_THREADS_H

#include <stdatomic.h>
#include <stdbool.h>

#define FIXTURE_THREADS 4

/* What the threads have done so far. */
struct fixture_counts {
  atomic_long threads_started;
  atomic_long faults_raised;
  atomic_long faults_handled;
  atomic_long signals_raised;
  atomic_long signals_handled;
};

extern struct fixture_counts fixture_counts;

/*
 * Starts two threads which rewrite their records without pause, one which starts threads that live
 * for a moment, and one which raises signals. "publish_thread" sets the thread-local pointer.
 * All that have a record say which span they show; if "one_lies", one of the first two says
 * another.
 */
void fixture_threads_start(void (*publish_thread)(void *), bool one_lies);

void fixture_threads_end(void);

#endif

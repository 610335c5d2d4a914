/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef FIXTURE_THREADS_H
#define FIXTURE_THREADS_H

#include <stdatomic.h>
#include <stdbool.h>

#define FIXTURE_THREADS 4

/* Counts the work of the threads. */
struct fixture_counts {
  atomic_long threads_started;
  atomic_long faults_raised;
  atomic_long faults_handled;
  atomic_long signals_raised;
  atomic_long signals_handled;
};

extern struct fixture_counts fixture_counts;

/*
 * Starts two threads that rewrite their records without pause, one that starts short-lived threads,
 * and one that raises signals. "publish_thread" sets the thread-local pointer. All threads with a
 * record report which span they show; with "one_lies", one of the first two reports another span.
 */
void fixture_threads_start(void (*publish_thread)(void *), bool one_lies);

void fixture_threads_end(void);

#endif

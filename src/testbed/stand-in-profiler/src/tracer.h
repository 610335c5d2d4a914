/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef TRACER_H
#define TRACER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define LATE_THREADS_LIMIT 64

/*
 * Stops single threads briefly. A thread is traced only from stop to release, so nearly all signals
 * (a JVM raises SIGSEGV on purpose) are delivered as usual, without us.
 */
struct tracer {
  /* COMMAND, if we are its parent: its exit status must not be taken here. 0 otherwise. */
  pid_t child;
  /*
   * Threads that are still ours after a sample: those that did not stop in time, for instance in a
   * long disk wait, and those that were killed while stopped.
   */
  pid_t late[LATE_THREADS_LIMIT];
  size_t late_count;
  uint64_t pauses;
  uint64_t pause_ns_sum;
  uint64_t pause_ns_max;
};

struct stopped_thread {
  pid_t tid;
  int pending_signal;
  uint64_t since_ns;
};

struct thread_registers {
  uint64_t thread_pointer;
  uint64_t program_counter;
};

/* Returns false if the thread ended, has another tracer or did not stop within the time limit. */
bool tracer_stop(struct tracer *tracer, pid_t tid, struct stopped_thread *stopped);

bool tracer_registers(const struct stopped_thread *stopped, struct thread_registers *registers);

/* Lets the thread go on as if nothing had happened, with the signal it was about to get. */
void tracer_release(struct tracer *tracer, const struct stopped_thread *stopped);

/*
 * Releases late threads that have stopped since. To be called in every longer wait: until then the
 * thread stands still, or as a zombie keeps its process from ending.
 */
void tracer_release_late(struct tracer *tracer);

#endif

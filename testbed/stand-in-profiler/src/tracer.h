/*
 * Copyright The Flamespan Authors
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
 * Stops single threads briefly. A thread is traced only between stop and release, so nearly all
 * signals (a JVM raises SIGSEGV on purpose) are delivered as usual, without our help.
 */
struct tracer {
  /* COMMAND if we are its parent: its exit status must not be consumed here. 0 otherwise. */
  pid_t child;
  /*
   * Threads that are still traced after a sample: they did not stop in time, for instance in a long
   * disk wait, or were killed while stopped.
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

/* Lets the thread continue undisturbed, and passes on the signal that it was about to get. */
void tracer_release(struct tracer *tracer, const struct stopped_thread *stopped);

/*
 * Releases late threads that have stopped since. Must be called during every longer wait: until
 * then, the thread stays stopped, or is a zombie that keeps its process from ending.
 */
void tracer_release_late(struct tracer *tracer);

#endif

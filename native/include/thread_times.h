/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef THREAD_TIMES_H
#define THREAD_TIMES_H

#include <stdint.h>

/* The places of the times, which are in nanoseconds. */
enum { PC_CPU_TIME, PC_RUN_QUEUE_TIME, PC_THREAD_TIMES };

/*
 * Reads how long the calling thread has been on a CPU, and how long it has waited for one while it
 * was ready. Returns a bit for each time that is known, counted from the lowest one; the others stay
 * as they are. Keeps a file open until the thread ends.
 */
int pc_thread_times(int64_t times[PC_THREAD_TIMES]);

/* Reads the time in a run queue from the text of a schedstat file. Returns whether it has one. */
int pc_run_queue_time(const char *schedstat, int64_t *time);

#endif

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef SCHEDULING_H
#define SCHEDULING_H

#include <stdint.h>

/* The scheduling attributes of one thread. */
typedef struct {
  uint32_t size;
  uint32_t policy;
  uint64_t flags;
  int32_t nice;
  uint32_t priority;
  uint64_t runtime_ns;
  uint64_t deadline_ns;
  uint64_t period_ns;
} pc_sched_attributes;

/* The first version of the kernel's struct sched_attr, which older C libraries do not declare. */
_Static_assert(sizeof(pc_sched_attributes) == 48, "struct sched_attr, version 0");

/* How the thread is scheduled while it is not urgent. Used only by this thread. */
typedef struct {
  pc_sched_attributes normal;
  int may_be_urgent;
} pc_scheduling;

/*
 * Requests short time slices for the calling thread, which needs no privilege. From Linux 6.12 on,
 * such a thread need not wait for the end of another thread's slice when it wakes up, which takes a
 * few milliseconds on a busy CPU. Older kernels ignore it. Returns 0, or -1 if it was refused.
 */
int pc_prefer_short_slices(pc_scheduling *own);

/*
 * Runs the calling thread before all threads of normal priority until pc_end_urgent, if the process
 * has permission (CAP_SYS_NICE or RLIMIT_RTPRIO). Only for code that empties a queue and never runs
 * Java code. Returns 1 if the thread is urgent now, else 0.
 */
int pc_begin_urgent(pc_scheduling *own);
void pc_end_urgent(pc_scheduling *own);

#endif

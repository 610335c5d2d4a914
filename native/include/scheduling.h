/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef SCHEDULING_H
#define SCHEDULING_H

#include <stdint.h>

/* What one thread is scheduled by. */
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

/* The first version of the kernel's struct sched_attr, which C libraries long did not declare. */
_Static_assert(sizeof(pc_sched_attributes) == 48, "struct sched_attr, version 0");

/* How a thread that becomes urgent now and then is scheduled otherwise. Used by this thread only. */
typedef struct {
  pc_sched_attributes normal;
  int may_be_urgent;
} pc_scheduling;

/*
 * Asks for short time slices for the calling thread, which needs no right. From Linux 6.12 on, a
 * thread that wakes up then need not wait for the end of another one's slice, some milliseconds on
 * a busy CPU. Older kernels ignore it. Returns 0, or -1 if the kernel refused.
 */
int pc_prefer_short_slices(pc_scheduling *own);

/*
 * Has the calling thread run before all threads of normal priority, where the process has the right
 * to (CAP_SYS_NICE or RLIMIT_RTPRIO), until pc_end_urgent. To be used for the moment that it takes
 * to empty a queue, with no Java code inside. Returns 1 if it is urgent now, else 0.
 */
int pc_begin_urgent(pc_scheduling *own);
void pc_end_urgent(pc_scheduling *own);

#endif

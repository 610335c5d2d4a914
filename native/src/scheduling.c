/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "scheduling.h"

#include <sched.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#if !defined(SYS_sched_setattr) && defined(__x86_64__)
#define SYS_sched_setattr 314
#define SYS_sched_getattr 315
#elif !defined(SYS_sched_setattr) && defined(__aarch64__)
#define SYS_sched_setattr 274
#define SYS_sched_getattr 275
#endif

/* The first version of the kernel's struct sched_attr, which C libraries long did not declare. */
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

_Static_assert(sizeof(pc_sched_attributes) == 48, "struct sched_attr, version 0");

enum { SHORTEST_SLICE_NS = 100 * 1000, LOWEST_URGENT_PRIORITY = 1 };

/* Of the one thread that receives. */
static pc_sched_attributes normal;
static int may_be_urgent;

static int set_attributes(pc_sched_attributes *attributes) {
  attributes->size = sizeof(*attributes);
  return (int)syscall(SYS_sched_setattr, 0, attributes, 0);
}

int pc_prefer_short_slices(void) {
  /* A thread that somebody gave another policy keeps it. */
  may_be_urgent = syscall(SYS_sched_getattr, 0, &normal, sizeof(normal), 0) == 0 &&
                  normal.policy == SCHED_OTHER;
  if (!may_be_urgent) {
    return -1;
  }
  pc_sched_attributes short_slices = normal;
  short_slices.runtime_ns = SHORTEST_SLICE_NS;
  if (set_attributes(&short_slices) != 0) {
    return -1;
  }
  normal = short_slices;
  return 0;
}

int pc_begin_urgent(void) {
  if (may_be_urgent) {
    pc_sched_attributes urgent = {.policy = SCHED_FIFO, .priority = LOWEST_URGENT_PRIORITY};
    may_be_urgent = set_attributes(&urgent) == 0;
  }
  return may_be_urgent;
}

void pc_end_urgent(void) {
  if (set_attributes(&normal) != 0) {
    may_be_urgent = 0;
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "scheduling.h"

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#if !defined(SYS_sched_setattr) && defined(__x86_64__)
#define SYS_sched_setattr 314
#define SYS_sched_getattr 315
#elif !defined(SYS_sched_setattr) && defined(__aarch64__)
#define SYS_sched_setattr 274
#define SYS_sched_getattr 275
#endif

enum { SHORTEST_SLICE_NS = 100 * 1000, LOWEST_URGENT_PRIORITY = 1 };

static int set_attributes(pc_sched_attributes *attributes) {
  attributes->size = sizeof(*attributes);
  return (int)syscall(SYS_sched_setattr, 0, attributes, 0);
}

int pc_prefer_short_slices(pc_scheduling *own) {
  /* A thread that was given another policy keeps it. */
  own->may_be_urgent = syscall(SYS_sched_getattr, 0, &own->normal, sizeof(own->normal), 0) == 0 &&
                       own->normal.policy == SCHED_OTHER;
  if (!own->may_be_urgent) {
    return -1;
  }
  pc_sched_attributes short_slices = own->normal;
  short_slices.runtime_ns = SHORTEST_SLICE_NS;
  if (set_attributes(&short_slices) != 0) {
    return -1;
  }
  own->normal = short_slices;
  return 0;
}

int pc_begin_urgent(pc_scheduling *own) {
  if (own->may_be_urgent) {
    pc_sched_attributes urgent = {.policy = SCHED_FIFO, .priority = LOWEST_URGENT_PRIORITY};
    own->may_be_urgent = set_attributes(&urgent) == 0;
  }
  return own->may_be_urgent;
}

void pc_end_urgent(pc_scheduling *own) {
  if (set_attributes(&own->normal) != 0) {
    own->may_be_urgent = 0;
  }
}

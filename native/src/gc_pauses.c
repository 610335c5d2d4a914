/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "gc_pauses.h"

#include <stddef.h>
#include <string.h>
#include <time.h>

enum { RING = 256 };

static pc_pause ring[RING];
static uint64_t ended; /* written by the one who ends pauses */
static uint64_t taken_until; /* written by the one who takes them */
static int64_t begin;
static const char *current_cause;
static const char *last_cause;

static int64_t now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

void pc_pauses_have_causes(const char *current, const char *last) {
  current_cause = current;
  last_cause = last;
}

void pc_pause_begins(void) { begin = now(CLOCK_MONOTONIC); }

static void copy(char *to, const char *from) {
  memcpy(to, from, PC_CAUSE_SIZE - 1);
  to[PC_CAUSE_SIZE - 1] = 0;
}

void pc_pause_ends(void) {
  if (begin == 0 || ended - __atomic_load_n(&taken_until, __ATOMIC_ACQUIRE) == RING) {
    return; /* it began before the events did, or there is no room */
  }
  pc_pause *pause = &ring[ended % RING];
  pause->begin = begin;
  pause->end = now(CLOCK_MONOTONIC);
  copy(pause->current_cause, current_cause);
  copy(pause->last_cause, last_cause);
  begin = 0;
  __atomic_store_n(&ended, ended + 1, __ATOMIC_RELEASE);
}

void pc_pauses_take(pc_pauses *taken, int most) {
  uint64_t until = __atomic_load_n(&ended, __ATOMIC_ACQUIRE);
  uint64_t next = taken_until;
  int count = 0;
  while (next < until && count < most) {
    taken->pauses[count++] = ring[next++ % RING];
  }
  __atomic_store_n(&taken_until, next, __ATOMIC_RELEASE);
  taken->count = count;
  taken->monotonic = now(CLOCK_MONOTONIC);
  taken->since_epoch = now(CLOCK_REALTIME);
}

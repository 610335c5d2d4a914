/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef GC_PAUSES_H
#define GC_PAUSES_H

#include <stdint.h>

/* Bytes of a cause, of which the last one is 0. */
#define PC_CAUSE_SIZE 48
#define PC_PAUSES_AT_ONCE 64

/* Nanoseconds of CLOCK_MONOTONIC, and what the JVM had as causes at the end. */
typedef struct {
  int64_t begin;
  int64_t end;
  char current_cause[PC_CAUSE_SIZE];
  char last_cause[PC_CAUSE_SIZE];
} pc_pause;

/* Java reads this by offset, see GcPauses.java. The times are of the same moment. */
typedef struct {
  int64_t monotonic;
  int64_t since_epoch;
  int64_t count;
  pc_pause pauses[PC_PAUSES_AT_ONCE];
} pc_pauses;

_Static_assert(sizeof(pc_pauses) == 24 + 64 * 112, "Java knows the size");

/*
 * Names where the JVM keeps its causes, PC_CAUSE_SIZE bytes each. Not while there are pauses.
 */
void pc_pauses_have_causes(const char *current, const char *last);

/* Called by one thread at a time, for each pause. No allocation, no lock. */
void pc_pause_begins(void);
void pc_pause_ends(void);

/*
 * Takes pauses that have ended, the first ones first and at most as many. They are lost if 256 are
 * not taken. Called by one thread at a time, which may be another one.
 */
void pc_pauses_take(pc_pauses *taken, int most);

#endif

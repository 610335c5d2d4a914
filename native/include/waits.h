/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef WAITS_H
#define WAITS_H

#include "carrier_samples.h"

/*
 * Waits of virtual threads: from an unmount to the next mount. While they are wanted, each long one
 * of a thread that shows a trace goes with its stack to a ring of the process. All functions but
 * the last four are for the carriers, which allocate nothing, take no lock and wait for nobody.
 */

/* Shorter ones are left out, because a walk of the stack takes some microseconds. */
enum { PC_WAIT_MIN_NS = 1000000 };

/* The layout of jvmtiFrameInfo. */
typedef struct {
  uint64_t method;
  int64_t location;
} pc_frame;

typedef struct {
  uint64_t begin; /* by CLOCK_MONOTONIC */
  uint64_t duration;
  pc_work work; /* the one of the virtual thread when it was unmounted */
} pc_wait;

/* What a wait becomes in the ring. The methods follow, and then the locations, 32 bits each. */
typedef struct {
  uint64_t size; /* in words of 8 bytes, with all that follows */
  uint64_t begin;
  uint64_t duration;
  uint8_t trace_id[16];
  uint8_t span_id[8];
  uint8_t transaction_id[8];
  uint64_t frames;
} pc_wait_header;

_Static_assert(sizeof(pc_frame) == 16, "frame");
_Static_assert(sizeof(pc_wait_header) == 64, "wait");

enum {
  PC_WAITS_WORDS = 1 << 19, /* of the ring */
  PC_WAIT_MAX_WORDS = sizeof(pc_wait_header) / 8 + PC_FRAMES_MAX + PC_FRAMES_MAX / 2
};

int pc_waits_are_wanted(void);

/* Must be called when a virtual thread with this block, or without one, is about to be unmounted. */
void pc_wait_begins(pc_block *block);

/* Must be called when it is mounted. Returns whether it has waited long, for a trace. */
int pc_wait_ends(const pc_block *block, pc_wait *wait);

/* Returns whether there is room for a wait with any stack. To be asked before one is walked. */
int pc_waits_have_room(void);

/* Adds a wait to the ring, or counts it as lost if there is no room. */
void pc_wait_add(pc_block *block, const pc_wait *wait, const pc_frame *frames, uint64_t count);

/* Counts a wait as lost. */
void pc_wait_lose(void);

/* Wants waits that begin from now on, until pc_waits_end. Does nothing if out of memory. */
void pc_waits_begin(void);
void pc_waits_end(void);

/*
 * For one thread, which collects samples. Moves the earliest waits to this memory, which has room
 * for PC_WAIT_MAX_WORDS or more. Returns how many words it has written; 0 if none are left.
 */
size_t pc_waits_take(uint64_t *to, size_t room);

/* Returns how many waits have been lost since the last call. */
uint64_t pc_waits_lost(void);

#endif

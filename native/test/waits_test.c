/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "check.h"
#include "waits.h"

enum { HEADER = sizeof(pc_wait_header) / 8, ROOM = 4 * PC_WAIT_MAX_WORDS };

static uint64_t taken[ROOM];
static pc_frame stack[PC_FRAMES_MAX];

static pc_block *showing(uint8_t id) {
  pc_block *block = pc_block_take(0);
  CHECK(block != NULL);
  memset(block->record.trace_id, id, 16);
  memset(block->record.span_id, id, 8);
  memset(block->record.transaction_id, id, 8);
  block->record.trace_present = 1;
  block->record.trace_flags = 1;
  return block;
}

static void begin(void) {
  pc_waits_begin();
  struct timespec longer = {.tv_nsec = 3 * PC_WAIT_MIN_NS};
  nanosleep(&longer, NULL);
}

/* Returns whether a wait of this thread is long, after one that is. */
static int has_waited(pc_block *block, pc_wait *wait) {
  pc_wait_begins(block);
  block->unmounted -= 2 * PC_WAIT_MIN_NS;
  return pc_wait_ends(block, wait);
}

static void nothing_is_a_wait_unless_wanted(void) {
  pc_block *a = showing('a');
  pc_wait wait;
  pc_wait_begins(a);
  CHECK(!pc_wait_ends(a, &wait));
  pc_wait_begins(NULL);
  CHECK(!pc_wait_ends(NULL, &wait));
  CHECK(pc_waits_lost() == 0);
  pc_block_give_back(a);
}

static void a_long_wait_has_its_trace_and_stack(void) {
  begin();
  pc_block *a = showing('a');
  pc_wait wait;
  CHECK(has_waited(a, &wait));
  CHECK(wait.begin == a->unmounted && wait.duration >= 2 * PC_WAIT_MIN_NS);
  for (uint64_t i = 0; i < 3; i++) {
    stack[i] = (pc_frame){.method = 70 + i, .location = (int64_t)i - 1};
  }
  CHECK(!a->is_sampled);
  pc_wait_add(a, &wait, stack, 3);
  CHECK(a->is_sampled);

  CHECK(pc_waits_take(taken, ROOM) == HEADER + 3 + 2);
  const pc_wait_header *header = (const pc_wait_header *)taken;
  CHECK(header->size == HEADER + 3 + 2 && header->frames == 3);
  CHECK(header->begin == wait.begin && header->duration == wait.duration);
  CHECK(header->trace_id[0] == 'a' && header->trace_id[15] == 'a');
  CHECK(header->span_id[7] == 'a' && header->transaction_id[7] == 'a');
  const int32_t *locations = (const int32_t *)&taken[HEADER + 3];
  for (int i = 0; i < 3; i++) {
    CHECK(taken[HEADER + i] == 70 + (uint64_t)i && locations[i] == i - 1);
  }
  CHECK(pc_waits_take(taken, ROOM) == 0);
  pc_block_give_back(a);
  pc_waits_end();
}

static void other_waits_are_none(void) {
  pc_block *a = showing('a');
  pc_wait wait;
  begin();
  CHECK(!pc_wait_ends(a, &wait)); /* its first mount */
  int is_long = 1;
  for (int i = 0; is_long && i < 1000; i++) { /* this thread may lose its CPU */
    pc_wait_begins(a);
    is_long = pc_wait_ends(a, &wait);
  }
  CHECK(!is_long && wait.duration < PC_WAIT_MIN_NS);
  a->record.trace_present = 0;
  CHECK(!has_waited(a, &wait));
  a->not_sampled = 1;
  CHECK(!has_waited(a, &wait));
  a->record.trace_present = 1;
  CHECK(!has_waited(a, &wait));
  a->not_sampled = 0;
  a->record.valid = 0;
  CHECK(!has_waited(a, &wait));
  a->record.valid = 1;
  CHECK(has_waited(a, &wait));
  pc_waits_end();
  pc_wait_begins(a); /* is not noted */
  begin();
  CHECK(!pc_wait_ends(a, &wait));
  pc_waits_end();
  pc_block_give_back(a);
}

static void a_full_ring_loses_waits_and_counts_them(void) {
  begin();
  pc_block *a = showing('a');
  pc_wait wait;
  CHECK(has_waited(a, &wait));
  for (int round = 0; round < 3; round++) {
    uint64_t fit = PC_WAITS_WORDS / PC_WAIT_MAX_WORDS;
    for (uint64_t i = 0; i < fit + 5; i++) {
      stack[PC_FRAMES_MAX - 1].method = i;
      pc_wait_add(a, &wait, stack, PC_FRAMES_MAX);
    }
    CHECK(pc_waits_lost() == 5);
    CHECK(pc_waits_lost() == 0);
    uint64_t next = 0;
    for (size_t words; (words = pc_waits_take(taken, ROOM)) != 0;) {
      CHECK(words == 4 * PC_WAIT_MAX_WORDS || next + 4 > fit);
      for (size_t at = 0; at < words; at += PC_WAIT_MAX_WORDS) {
        CHECK(taken[at] == PC_WAIT_MAX_WORDS);
        CHECK(taken[at + HEADER + PC_FRAMES_MAX - 1] == next++);
      }
    }
    CHECK(next == fit);
  }
  pc_block_give_back(a);
  pc_waits_end();
}

static void what_an_earlier_run_has_left_is_not_taken(void) {
  begin();
  pc_block *a = showing('a');
  pc_wait wait;
  CHECK(has_waited(a, &wait));
  pc_waits_end();
  pc_wait_add(a, &wait, stack, 1); /* late */
  begin();
  CHECK(has_waited(a, &wait));
  pc_wait_add(a, &wait, stack, 7);
  CHECK(pc_waits_take(taken, ROOM) == HEADER + 7 + 4);
  CHECK(((const pc_wait_header *)taken)->frames == 7);
  CHECK(pc_waits_take(taken, ROOM) == 0);
  pc_waits_end();
  pc_block_give_back(a);
}

enum { CARRIERS = 4, WAITS = 60000 };
static int ended;

/* The locations of each entry continue those of the one before of this thread. */
static void *wait_often(void *argument) {
  pc_block *block = showing((uint8_t)(uintptr_t)argument);
  pc_frame frames[40];
  pc_wait wait;
  CHECK(has_waited(block, &wait));
  for (uint32_t i = 0; i < WAITS; i++) {
    uint64_t count = i % 41;
    wait.duration = i;
    for (uint64_t k = 0; k < count; k++) {
      frames[k] = (pc_frame){.method = i + k, .location = (int32_t)i - (int32_t)k};
    }
    pc_wait_add(block, &wait, frames, count);
  }
  __atomic_add_fetch(&ended, 1, __ATOMIC_RELEASE);
  pc_block_give_back(block);
  return NULL;
}

static uint64_t check(const uint64_t *entry, int64_t *last) {
  const pc_wait_header *header = (const pc_wait_header *)entry;
  int of = header->trace_id[0];
  CHECK(of >= 1 && of <= CARRIERS && header->transaction_id[7] == of);
  CHECK((int64_t)header->duration > last[of]); /* in order, and once */
  last[of] = (int64_t)header->duration;
  CHECK(header->frames == header->duration % 41);
  CHECK(header->size == HEADER + header->frames + (header->frames + 1) / 2);
  const int32_t *locations = (const int32_t *)(entry + HEADER + header->frames);
  for (uint64_t k = 0; k < header->frames; k++) {
    CHECK(entry[HEADER + k] == header->duration + k);
    CHECK(locations[k] == (int32_t)header->duration - (int32_t)k);
  }
  return header->size;
}

static void waits_of_several_carriers_are_taken_once_or_lost(void) {
  begin();
  pthread_t threads[CARRIERS];
  for (uintptr_t i = 0; i < CARRIERS; i++) {
    CHECK(pthread_create(&threads[i], NULL, wait_often, (void *)(i + 1)) == 0);
  }
  int64_t last[CARRIERS + 1] = {-1, -1, -1, -1, -1};
  uint64_t right = 0;
  for (int ends = 0; !ends;) {
    ends = __atomic_load_n(&ended, __ATOMIC_ACQUIRE) == CARRIERS;
    for (size_t words; (words = pc_waits_take(taken, ROOM)) != 0;) {
      for (size_t at = 0; at < words; right++) {
        at += check(taken + at, last);
      }
    }
  }
  for (int i = 0; i < CARRIERS; i++) {
    CHECK(pthread_join(threads[i], NULL) == 0);
  }
  CHECK(right + pc_waits_lost() == CARRIERS * WAITS);
  CHECK(right > WAITS / 100);
  pc_waits_end();
}

int main(void) {
  nothing_is_a_wait_unless_wanted();
  a_long_wait_has_its_trace_and_stack();
  other_waits_are_none();
  a_full_ring_loses_waits_and_counts_them();
  what_an_earlier_run_has_left_is_not_taken();
  waits_of_several_carriers_are_taken_once_or_lost();
  nothing_is_a_wait_unless_wanted();
  puts("waits_test: 7 passed");
  return 0;
}

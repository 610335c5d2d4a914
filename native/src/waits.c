/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "waits.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "oldest_glibc.h"

enum { NOT_WANTED = 0, TRIES = 200, PAUSE_NS = 50000 };

/*
 * A carrier reserves words by moving "added", and stores the size of the entry last, over a zero.
 * The collecting thread clears what it has taken before it moves "taken".
 */
static uint64_t *ring;
static uint64_t added;
static uint64_t taken;
static uint64_t lost;
static uint64_t wanted_since = NOT_WANTED;

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

int pc_waits_are_wanted(void) {
  return __atomic_load_n(&wanted_since, __ATOMIC_RELAXED) != NOT_WANTED;
}

void pc_wait_begins(pc_block *block) {
  if (block != NULL && pc_waits_are_wanted()) {
    block->unmounted = now();
  }
}

int pc_wait_ends(const pc_block *block, pc_wait *wait) {
  uint64_t since = __atomic_load_n(&wanted_since, __ATOMIC_ACQUIRE);
  /* An earlier time may be that of another unmount: later ones were not noted. */
  if (since == NOT_WANTED || block == NULL || block->unmounted < since) {
    return 0;
  }
  wait->begin = block->unmounted;
  wait->duration = now() - wait->begin;
  if (wait->duration < PC_WAIT_MIN_NS) {
    return 0;
  }
  wait->work = pc_work_of(block);
  return wait->work.state == PC_TRACE;
}

static uint64_t *word(uint64_t at) { return &ring[at % PC_WAITS_WORDS]; }

static void copy(uint64_t at, const void *from, uint64_t words) {
  uint64_t first = PC_WAITS_WORDS - at % PC_WAITS_WORDS;
  first = first < words ? first : words;
  memcpy(word(at), from, first * sizeof(uint64_t));
  memcpy(ring, (const uint64_t *)from + first, (words - first) * sizeof(uint64_t));
}

/* Returns where, or UINT64_MAX if there is no room. */
static uint64_t reserve(uint64_t words) {
  uint64_t at = __atomic_load_n(&added, __ATOMIC_RELAXED);
  do {
    /* Less than 0 if others have moved both meanwhile: then the exchange fails. */
    int64_t used = (int64_t)(at + words - __atomic_load_n(&taken, __ATOMIC_ACQUIRE));
    if (used > PC_WAITS_WORDS) {
      return UINT64_MAX;
    }
  } while (!__atomic_compare_exchange_n(&added, &at, at + words, 1, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED));
  return at;
}

int pc_waits_have_room(void) {
  uint64_t added_now = __atomic_load_n(&added, __ATOMIC_RELAXED);
  /* Less than 0 if others have moved both meanwhile. */
  int64_t used = (int64_t)(added_now - __atomic_load_n(&taken, __ATOMIC_ACQUIRE));
  return used + PC_WAIT_MAX_WORDS <= PC_WAITS_WORDS;
}

void pc_wait_add(pc_block *block, const pc_wait *wait, const pc_frame *frames, uint64_t count) {
  uint64_t size = sizeof(pc_wait_header) / 8 + count + (count + 1) / 2;
  uint64_t at = reserve(size);
  if (at == UINT64_MAX) {
    pc_wait_lose();
    return;
  }
  pc_wait_header header = {
      .size = size, .begin = wait->begin, .duration = wait->duration, .frames = count};
  memcpy(header.trace_id, wait->work.trace_id,
         sizeof(header.trace_id) + sizeof(header.span_id) + sizeof(header.transaction_id));
  copy(at + 1, (const uint64_t *)&header + 1, sizeof(header) / 8 - 1);
  uint64_t to = at + sizeof(header) / 8;
  for (uint64_t i = 0; i < count; i++) {
    *word(to++) = frames[i].method;
  }
  for (uint64_t i = 0; i < count; i += 2) {
    int32_t pair[2] = {(int32_t)frames[i].location,
                       i + 1 < count ? (int32_t)frames[i + 1].location : 0};
    memcpy(word(to++), pair, sizeof(pair));
  }
  __atomic_store_n(word(at), size, __ATOMIC_RELEASE);
  /* Its local root span has to expect samples. */
  __atomic_store_n(&block->is_sampled, 1, __ATOMIC_RELAXED);
}

void pc_wait_lose(void) { __atomic_fetch_add(&lost, 1, __ATOMIC_RELAXED); }

void pc_waits_begin(void) {
  if (ring == NULL) {
    ring = calloc(PC_WAITS_WORDS, sizeof(uint64_t)); /* for good: carriers may be late */
  }
  if (ring != NULL) {
    __atomic_store_n(&wanted_since, now(), __ATOMIC_RELEASE);
  }
}

void pc_waits_end(void) { __atomic_store_n(&wanted_since, NOT_WANTED, __ATOMIC_RELEASE); }

/* A carrier may lose its CPU while it writes an entry, and those behind it should not be late. */
static uint64_t size_at(uint64_t at) {
  uint64_t size = 0;
  for (int i = 0; i < TRIES && (size = __atomic_load_n(word(at), __ATOMIC_ACQUIRE)) == 0; i++) {
    struct timespec pause = {.tv_nsec = PAUSE_NS};
    nanosleep(&pause, NULL);
  }
  return size;
}

/* Copies and clears. */
static void move(uint64_t *to, uint64_t at, uint64_t words) {
  for (uint64_t i = 0; i < words; i++) {
    to[i] = *word(at + i);
    *word(at + i) = 0;
  }
}

size_t pc_waits_take(uint64_t *to, size_t room) {
  size_t used = 0;
  uint64_t since = __atomic_load_n(&wanted_since, __ATOMIC_RELAXED);
  uint64_t at = taken;
  uint64_t end = __atomic_load_n(&added, __ATOMIC_ACQUIRE);
  while (at != end) {
    uint64_t size = size_at(at);
    if (size == 0 || size > room - used) {
      break;
    }
    move(to + used, at, size);
    at += size;
    __atomic_store_n(&taken, at, __ATOMIC_RELEASE);
    pc_wait_header header;
    memcpy(&header, to + used, sizeof(header));
    used += header.begin < since ? 0 : size; /* what nobody has taken in time */
  }
  return used;
}

uint64_t pc_waits_lost(void) { return __atomic_exchange_n(&lost, 0, __ATOMIC_RELAXED); }

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "check.h"
#include "gc_pauses.h"

static char current[2 * PC_CAUSE_SIZE] = "System.gc()";
static char last[PC_CAUSE_SIZE] = "No GC";
static int enough;
static pc_pauses taken;

static int64_t take_all(void) {
  int64_t count = 0;
  do {
    pc_pauses_take(&taken, PC_PAUSES_AT_ONCE);
    count += taken.count;
  } while (taken.count == PC_PAUSES_AT_ONCE);
  return count;
}

static void pause_once(void) {
  pc_pause_begins();
  pc_pause_ends();
}

static void pauses_have_times_and_causes(void) {
  struct timespec before;
  clock_gettime(CLOCK_MONOTONIC, &before);
  pause_once();
  strcpy(current, "a cause that is longer than those that any JVM has had");
  pause_once();
  strcpy(current, "System.gc()");
  pc_pauses_take(&taken, PC_PAUSES_AT_ONCE);

  CHECK(taken.count == 2);
  CHECK(strcmp(taken.pauses[0].current_cause, "System.gc()") == 0);
  CHECK(strcmp(taken.pauses[0].last_cause, "No GC") == 0);
  CHECK(strcmp(taken.pauses[1].current_cause, "a cause that is longer than those that any JVM") > 0);
  CHECK(strlen(taken.pauses[1].current_cause) == PC_CAUSE_SIZE - 1);
  CHECK(taken.pauses[0].begin >= before.tv_sec * INT64_C(1000000000) + before.tv_nsec);
  CHECK(taken.pauses[0].end >= taken.pauses[0].begin);
  CHECK(taken.pauses[1].begin >= taken.pauses[0].end);
  CHECK(taken.monotonic >= taken.pauses[1].end);
  CHECK(taken.since_epoch > taken.monotonic);
  CHECK(take_all() == 0);
}

static void an_end_without_a_begin_is_no_pause(void) {
  pc_pause_ends();
  CHECK(take_all() == 0);
}

static void more_than_there_is_room_for_are_lost(void) {
  for (int i = 0; i < 300; i++) {
    pause_once();
  }
  CHECK(take_all() == 256);
  pause_once();
  CHECK(take_all() == 1);
}

static void *pause_often(void *unused) {
  (void)unused;
  while (!__atomic_load_n(&enough, __ATOMIC_RELAXED)) {
    pause_once();
  }
  return NULL;
}

static void pauses_taken_meanwhile_are_whole(void) {
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, pause_often, NULL) == 0);
  int64_t end = 0;
  for (int64_t count = 0; count < 100000;) {
    pc_pauses_take(&taken, PC_PAUSES_AT_ONCE);
    for (int i = 0; i < taken.count; i++) {
      CHECK(taken.pauses[i].begin >= end && taken.pauses[i].end >= taken.pauses[i].begin);
      CHECK(strcmp(taken.pauses[i].current_cause, "System.gc()") == 0);
      end = taken.pauses[i].end;
    }
    count += taken.count;
  }
  __atomic_store_n(&enough, 1, __ATOMIC_RELAXED);
  pthread_join(thread, NULL);
}

int main(void) {
  pc_pauses_have_causes(current, last);
  pauses_have_times_and_causes();
  an_end_without_a_begin_is_no_pause();
  more_than_there_is_room_for_are_lost();
  pauses_taken_meanwhile_are_whole();
  puts("pauses: ok");
  return 0;
}

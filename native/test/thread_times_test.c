/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "check.h"
#include "thread_times.h"

enum { ALL_KNOWN = (1 << PC_CPU_TIME) | (1 << PC_RUN_QUEUE_TIME), ENOUGH_NS = 20 * 1000 * 1000 };

static int errno_of_open; /* 0 if it shall succeed */
static int opened;
static _Thread_local int last_opened = -1;

/* In place of the one of libc. */
int open(const char *path, int flags, ...) {
  opened++;
  if (errno_of_open != 0) {
    errno = errno_of_open;
    return -1;
  }
  last_opened = (int)syscall(SYS_openat, AT_FDCWD, path, flags, 0);
  return last_opened;
}

static void texts_of_the_kernel_are_read(void) {
  int64_t time = -1;
  CHECK(pc_run_queue_time("12 345 6\n", &time) && time == 345);
  CHECK(pc_run_queue_time("9000000000000000000 0 1\n", &time) && time == 0);
  CHECK(pc_run_queue_time("5 9000000000000000000 1\n", &time) && time == 9000000000000000000);
}

static void other_texts_are_not_known(void) {
  static const char *const texts[] = {"",    "0 0 0\n", "12\n",    "12 \n",  "12 345",
                                      "a 1 ", "1 b ",    "-1 2 3\n", " 1 2 3\n", "1 99999999999999999999 1\n"};
  for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
    int64_t time = -1;
    CHECK(!pc_run_queue_time(texts[i], &time) && time == -1);
  }
}

static void times_of_this_thread_grow(void) {
  int64_t before[PC_THREAD_TIMES];
  int64_t after[PC_THREAD_TIMES];
  int known = pc_thread_times(before);
  CHECK((known & (1 << PC_CPU_TIME)) != 0 && before[PC_CPU_TIME] > 0);
  do {
    CHECK(pc_thread_times(after) == known);
  } while (after[PC_CPU_TIME] < before[PC_CPU_TIME] + ENOUGH_NS);
  if (known == ALL_KNOWN) {
    CHECK(after[PC_RUN_QUEUE_TIME] >= before[PC_RUN_QUEUE_TIME]);
  }
}

static int lowest_free_file(void) {
  int file = dup(STDERR_FILENO);
  CHECK(file >= 0 && close(file) == 0);
  return file;
}

static void *read_times(void *known) {
  int64_t times[PC_THREAD_TIMES];
  for (int i = 0; i < 10; i++) {
    *(int *)known = pc_thread_times(times);
  }
  return NULL;
}

static int times_known_on_a_new_thread(void) {
  pthread_t thread;
  int known = 0;
  CHECK(pthread_create(&thread, NULL, read_times, &known) == 0);
  CHECK(pthread_join(thread, NULL) == 0);
  return known;
}

static void file_of_ended_thread_is_closed(void) {
  int free_before = lowest_free_file();
  int known = times_known_on_a_new_thread();
  CHECK(times_known_on_a_new_thread() == known);
  CHECK(lowest_free_file() == free_before);
}

static void without_files_cpu_time_is_known(void) {
  struct rlimit limit;
  CHECK(getrlimit(RLIMIT_NOFILE, &limit) == 0);
  struct rlimit none = {.rlim_cur = 0, .rlim_max = limit.rlim_max};
  CHECK(setrlimit(RLIMIT_NOFILE, &none) == 0);
  CHECK(times_known_on_a_new_thread() == 1 << PC_CPU_TIME);
  CHECK(setrlimit(RLIMIT_NOFILE, &limit) == 0);
}

/* Returns the descriptor. */
static int close_own_file(void) {
  CHECK(close(last_opened) == 0);
  return last_opened;
}

static void file_that_another_closed_is_opened_again(void) {
  int64_t times[PC_THREAD_TIMES];
  int known = pc_thread_times(times);
  (void)close_own_file();
  CHECK(pc_thread_times(times) == known);
}

static void file_of_another_is_not_read(void) {
  int64_t times[PC_THREAD_TIMES];
  int known = pc_thread_times(times);
  int file = close_own_file();
  int other = open("/dev/zero", O_RDONLY);
  CHECK(dup2(other, file) == file && (other == file || close(other) == 0));
  CHECK(pc_thread_times(times) == known);
  CHECK(close(file) == 0);
}

static void *leave_file_of_another(void *descriptor) {
  int64_t times[PC_THREAD_TIMES];
  (void)pc_thread_times(times);
  int file = close_own_file();
  int other = open("/dev/null", O_RDONLY);
  CHECK(dup2(other, file) == file && (other == file || close(other) == 0));
  *(int *)descriptor = file;
  return NULL;
}

static void file_of_another_stays_open(void) {
  pthread_t thread;
  int other = -1;
  CHECK(pthread_create(&thread, NULL, leave_file_of_another, &other) == 0);
  CHECK(pthread_join(thread, NULL) == 0);
  CHECK(close(other) == 0);
}

static void file_that_is_missing_is_not_looked_for_again(void) {
  errno_of_open = EACCES;
  opened = 0;
  CHECK(times_known_on_a_new_thread() == 1 << PC_CPU_TIME);
  CHECK(opened == 1);
  errno_of_open = 0;
}

int main(void) {
  texts_of_the_kernel_are_read();
  other_texts_are_not_known();
  times_of_this_thread_grow();
  file_of_ended_thread_is_closed();
  without_files_cpu_time_is_known();
  if (times_known_on_a_new_thread() == ALL_KNOWN) {
    file_that_another_closed_is_opened_again();
    file_of_another_is_not_read();
    file_of_another_stays_open();
    file_that_is_missing_is_not_looked_for_again();
  }
  puts("times of threads: ok");
  return 0;
}

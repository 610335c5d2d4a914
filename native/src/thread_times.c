/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "thread_times.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "oldest_glibc.h"

enum { NS_PER_S = 1000000000, MAX_SCHEDSTAT = 80 };

/* The file of a thread stays open until the thread ends: to open it takes longer than to read it. */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key; /* of the file descriptor plus 1 */
static int has_key;

static void close_own(void *file) { (void)close((int)(intptr_t)file - 1); }

static void create_key(void) { has_key = pthread_key_create(&key, close_own) == 0; }

static int open_schedstat(void) {
  int file = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
  if (file >= 0 || errno != ENOENT) {
    return file;
  }
  char path[64]; /* before Linux 3.17 */
  (void)snprintf(path, sizeof(path), "/proc/self/task/%ld/schedstat", syscall(SYS_gettid));
  return open(path, O_RDONLY | O_CLOEXEC);
}

/* Not strtoll, whose newest version in glibc older systems lack. Returns what follows, or NULL. */
static const char *parse(const char *text, int64_t *number) {
  *number = 0;
  const char *digit = text;
  for (; *digit >= '0' && *digit <= '9'; digit++) {
    if (*number > (INT64_MAX - 9) / 10) {
      return NULL;
    }
    *number = *number * 10 + (*digit - '0');
  }
  return digit == text || *digit != ' ' ? NULL : digit + 1;
}

int pc_run_queue_time(const char *schedstat, int64_t *time) {
  int64_t on_cpu;
  int64_t ready;
  const char *second = parse(schedstat, &on_cpu);
  /* A thread that reads this has been on a CPU: a kernel that does not count prints zeros. */
  if (second == NULL || on_cpu == 0 || parse(second, &ready) == NULL) {
    return 0;
  }
  *time = ready;
  return 1;
}

/* Returns -1 if it cannot be opened. */
static int own_schedstat(void) {
  pthread_once(&once, create_key);
  if (!has_key) {
    return -1;
  }
  int file = (int)(intptr_t)pthread_getspecific(key) - 1;
  if (file < 0) {
    file = open_schedstat();
    if (file >= 0 && pthread_setspecific(key, (void *)(intptr_t)(file + 1)) != 0) {
      (void)close(file);
      file = -1;
    }
  }
  return file;
}

static int read_run_queue_time(int64_t *time) {
  int file = own_schedstat();
  if (file < 0) {
    return 0;
  }
  char text[MAX_SCHEDSTAT];
  ssize_t length = pread(file, text, sizeof(text) - 1, 0);
  if (length <= 0) {
    (void)pthread_setspecific(key, NULL); /* somebody has closed it, and may have opened another */
    return 0;
  }
  text[length] = '\0';
  return pc_run_queue_time(text, time);
}

int pc_thread_times(int64_t times[PC_THREAD_TIMES]) {
  int known = 0;
  struct timespec cpu;
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &cpu) == 0) {
    times[PC_CPU_TIME] = (int64_t)cpu.tv_sec * NS_PER_S + cpu.tv_nsec;
    known |= 1 << PC_CPU_TIME;
  }
  if (read_run_queue_time(&times[PC_RUN_QUEUE_TIME])) {
    known |= 1 << PC_RUN_QUEUE_TIME;
  }
  return known;
}

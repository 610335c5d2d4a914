/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "thread_times.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "oldest_glibc.h"

enum { NS_PER_S = 1000000000, MAX_SCHEDSTAT = 80 };

/* The file of a thread stays open until the thread ends: to open it takes longer than to read it. */
typedef struct {
  int descriptor;
  dev_t device;
  ino_t inode;
} own_file;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key; /* of the own_file */
static int has_key;
static int has_none; /* the kernel or a sandbox has no such files */

/* Somebody else may have closed the descriptor, and opened another file that has its number now. */
static int is_open(const own_file *own) {
  struct stat file;
  /* The function fstat needs glibc 2.33. On both CPUs, the kernel fills in libc's structure. */
  return syscall(SYS_fstat, own->descriptor, &file) == 0 && file.st_dev == own->device &&
         file.st_ino == own->inode;
}

static void close_own(void *file) {
  const own_file *own = file;
  if (is_open(own)) {
    (void)close(own->descriptor);
  }
  free(file);
}

static void create_key(void) { has_key = pthread_key_create(&key, close_own) == 0; }

static int open_schedstat(void) {
  int file = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
  if (file < 0 && errno == ENOENT) {
    char path[64]; /* before Linux 3.17 */
    (void)snprintf(path, sizeof(path), "/proc/self/task/%ld/schedstat", syscall(SYS_gettid));
    file = open(path, O_RDONLY | O_CLOEXEC);
  }
  if (file < 0 && (errno == ENOENT || errno == EACCES || errno == EPERM)) {
    __atomic_store_n(&has_none, 1, __ATOMIC_RELAXED);
  }
  return file;
}

static int open_own(own_file *own) {
  struct stat file;
  own->descriptor = open_schedstat();
  if (own->descriptor < 0) {
    return 0;
  }
  if (syscall(SYS_fstat, own->descriptor, &file) != 0) {
    (void)close(own->descriptor);
    own->descriptor = -1;
    return 0;
  }
  own->device = file.st_dev;
  own->inode = file.st_ino;
  return 1;
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

/* Returns NULL if there is none. */
static const own_file *own_schedstat(void) {
  pthread_once(&once, create_key);
  if (!has_key || __atomic_load_n(&has_none, __ATOMIC_RELAXED)) {
    return NULL;
  }
  own_file *own = pthread_getspecific(key);
  if (own == NULL) {
    own = malloc(sizeof(*own));
    if (own == NULL) {
      return NULL;
    }
    own->descriptor = -1;
    if (pthread_setspecific(key, own) != 0) {
      free(own);
      return NULL;
    }
  }
  return is_open(own) || open_own(own) ? own : NULL;
}

static int read_run_queue_time(int64_t *time) {
  const own_file *own = own_schedstat();
  if (own == NULL) {
    return 0;
  }
  char text[MAX_SCHEDSTAT];
  ssize_t length = pread(own->descriptor, text, sizeof(text) - 1, 0);
  if (length <= 0) {
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

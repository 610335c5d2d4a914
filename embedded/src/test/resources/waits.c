/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/* A library that waits by poll and usleep in turn, on a thread of its own and on that of a caller. */

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

enum { WAITS = 10 };

static pthread_t thread;

/* Returns how many of twice ten waits a signal has ended early. */
static long interrupted(void) {
  long count = 0;
  for (int i = 0; i < WAITS; i++) {
    count += poll(NULL, 0, 50) < 0 && errno == EINTR;
    count += usleep(50000) < 0 && errno == EINTR;
  }
  return count;
}

static void *run(void *unused) {
  (void)unused;
  return (void *)interrupted();
}

int Java_io_flamespan_embedded_faults_WaitsApp_wait0(void *env, void *type) {
  (void)env, (void)type;
  return (int)interrupted();
}

void Java_io_flamespan_embedded_faults_WaitsApp_begin0(void *env, void *type) {
  (void)env, (void)type;
  pthread_create(&thread, NULL, run, NULL);
}

int Java_io_flamespan_embedded_faults_WaitsApp_end0(void *env, void *type) {
  (void)env, (void)type;
  void *count = NULL;
  pthread_join(thread, &count);
  return (int)(long)count;
}

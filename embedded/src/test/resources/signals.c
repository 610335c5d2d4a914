/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/*
 * A library that interrupts threads by signals each five milliseconds of CPU time, as profilers in
 * native code do. Its handler uses BURN microseconds. With TAKE, it also begins to handle that
 * signal after some seconds.
 */

#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long micros(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static void handle(int signal, siginfo_t *info, void *context) {
  (void)signal, (void)info, (void)context;
  for (long end = micros() + BURN; micros() < end;) {
  }
}

static void take(int signal) {
  struct sigaction action;
  memset(&action, 0, sizeof(action));
  action.sa_sigaction = handle;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  sigaction(signal, &action, NULL);
}

#ifdef TAKE
static void *take_later(void *unused) {
  sleep(5);
  take(TAKE);
  return unused;
}
#endif

__attribute__((constructor)) static void start(void) {
#ifdef TAKE
  pthread_t thread;
  pthread_create(&thread, NULL, take_later, NULL);
#endif
  take(SIGPROF);
  struct itimerval timer = {{0, 5000}, {0, 5000}};
  setitimer(ITIMER_PROF, &timer, NULL);
}

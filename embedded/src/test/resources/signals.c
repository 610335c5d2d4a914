/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/*
 * A library that interrupts threads by signals each five milliseconds of CPU time, as profilers in
 * native code do. Its handler uses BURN microseconds, and lets all others interrupt it if UNBLOCK is
 * defined.
 */

#define _GNU_SOURCE
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

static long micros(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static void handle(int signal, siginfo_t *info, void *context) {
  (void)signal, (void)info, (void)context;
#ifdef UNBLOCK
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_UNBLOCK, &all, NULL);
#endif
  for (long end = micros() + BURN; micros() < end;) {
  }
}

__attribute__((constructor)) static void start(void) {
  struct sigaction action;
  memset(&action, 0, sizeof(action));
  action.sa_sigaction = handle;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  sigaction(SIGPROF, &action, NULL);
  struct itimerval timer = {{0, 5000}, {0, 5000}};
  setitimer(ITIMER_PROF, &timer, NULL);
}

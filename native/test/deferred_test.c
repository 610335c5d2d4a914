/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <ucontext.h>

#include "check.h"
#include "deferred_signal.h"

enum { FIRST = 34, SECOND = 35, PROFILER = 60, LAST = 62 };

static volatile uintptr_t seen;
static volatile int profiled;
static volatile int others;
static volatile int nested;

static uintptr_t pc_of(void *context) {
#ifdef __x86_64__
  return (uintptr_t)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
#else
  return (uintptr_t)((ucontext_t *)context)->uc_mcontext.pc;
#endif
}

static void profile(int signal, siginfo_t *info, void *context) {
  CHECK(signal == PROFILER && info->si_signo == PROFILER);
  seen = pc_of(context);
  profiled++;
}

static void other(int signal, siginfo_t *info, void *context) {
  CHECK(info->si_signo == signal && context != NULL);
  others++;
}

/* Is interrupted while it runs. */
static void slow(int signal, siginfo_t *info, void *context) {
  other(signal, info, context);
  int before = profiled;
  CHECK(pthread_kill(pthread_self(), PROFILER) == 0);
  nested = profiled - before;
}

static void handle(int signal, void (*handler)(int, siginfo_t *, void *)) {
  struct sigaction action = {.sa_flags = SA_SIGINFO | SA_RESTART};
  action.sa_sigaction = handler;
  CHECK(sigaction(signal, &action, NULL) == 0);
}

/* The system call that lets all of them in. Returns where it was interrupted. */
static uintptr_t deliver(const int *signals, int count) {
  sigset_t blocked;
  sigset_t before;
  sigemptyset(&blocked);
  for (int i = 0; i < count; i++) {
    sigaddset(&blocked, signals[i]);
  }
  CHECK(pthread_sigmask(SIG_BLOCK, &blocked, &before) == 0);
  for (int i = 0; i < count; i++) {
    CHECK(pthread_kill(pthread_self(), signals[i]) == 0);
  }
  seen = 0;
  others = 0;
  CHECK(pthread_sigmask(SIG_SETMASK, &before, NULL) == 0);
  CHECK(others == count - 1);
  return seen;
}

static uintptr_t interrupt_slowly(void) {
  seen = 0;
  CHECK(pthread_kill(pthread_self(), FIRST) == 0);
  CHECK(seen != 0);
  return seen;
}

int main(void) {
  handle(FIRST, other);
  handle(SECOND, other);
  handle(LAST, other);
  handle(PROFILER, profile);
  CHECK(signal(SIGUSR1, SIG_IGN) != SIG_ERR);
  uintptr_t undisturbed = deliver((int[]){PROFILER}, 1);
  CHECK(undisturbed != 0);
  CHECK(deliver((int[]){FIRST, PROFILER}, 2) == (uintptr_t)other);
  handle(FIRST, slow);
  interrupt_slowly();
  CHECK(nested == 1);

  CHECK(pc_defer_to_handlers(PROFILER) == 0);
  CHECK(pc_defer_to_handlers(PROFILER) == 0);
  interrupt_slowly();
  CHECK(nested == 0);
  handle(FIRST, other);
  CHECK(deliver((int[]){FIRST, PROFILER}, 2) == (uintptr_t)other); /* as it is installed anew */
  struct sigaction before;
  CHECK(sigaction(FIRST, NULL, &before) == 0);
  CHECK(pc_defer_to_handlers(PROFILER) == 0);
  CHECK(deliver((int[]){PROFILER}, 1) == undisturbed);
  CHECK(deliver((int[]){FIRST, PROFILER}, 2) == undisturbed);
  CHECK(deliver((int[]){FIRST, SECOND, PROFILER, LAST}, 4) == undisturbed);

  struct sigaction left;
  CHECK(sigaction(FIRST, NULL, &left) == 0);
  CHECK(left.sa_sigaction == other && left.sa_flags == before.sa_flags);
  CHECK(sigismember(&left.sa_mask, PROFILER) == 1 && sigismember(&left.sa_mask, SECOND) == 0);
  CHECK(sigaction(PROFILER, NULL, &left) == 0 && sigismember(&left.sa_mask, PROFILER) == 0);
  CHECK(sigaction(SIGUSR1, NULL, &left) == 0 && left.sa_handler == SIG_IGN);
  CHECK(sigismember(&left.sa_mask, PROFILER) == 0);

  CHECK(pc_defer_to_handlers(0) == EINVAL);
  CHECK(pc_defer_to_handlers(65) == EINVAL);
  puts("deferred signal: ok");
  return 0;
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "check.h"
#include "interrupted_context.h"

enum { FIRST = 34, SECOND = 35, PROFILER = 60 };

static volatile uintptr_t seen;
static volatile int others;

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
  errno = ENOENT;
}

static void other(int signal, siginfo_t *info, void *context) {
  CHECK(info->si_signo == signal && context != NULL);
  others++;
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

int main(void) {
  handle(FIRST, other);
  handle(SECOND, other);
  handle(PROFILER, profile);
  uintptr_t undisturbed = deliver((int[]){PROFILER}, 1);
  CHECK(undisturbed != 0);
  CHECK(deliver((int[]){FIRST, PROFILER}, 2) == (uintptr_t)other);

  CHECK(pc_see_through_handlers(PROFILER) == 0);
  CHECK(pc_see_through_handlers(PROFILER) == 0);

  errno = EAGAIN;
  CHECK(deliver((int[]){PROFILER}, 1) == undisturbed);
  CHECK(errno == EAGAIN);
  CHECK(deliver((int[]){FIRST, PROFILER}, 2) == undisturbed);
  CHECK(deliver((int[]){FIRST, SECOND, PROFILER}, 3) == undisturbed);

  handle(PROFILER, profile); /* as a new session does */
  CHECK(deliver((int[]){FIRST, PROFILER}, 2) == (uintptr_t)other);
  CHECK(pc_see_through_handlers(PROFILER) == 0);
  CHECK(deliver((int[]){FIRST, PROFILER}, 2) == undisturbed);

  CHECK(pc_see_through_handlers(0) == EINVAL);
  CHECK(pc_see_through_handlers(65) == EINVAL);
  CHECK(pc_see_through_handlers(61) == EINVAL); /* nobody handles it */
  puts("interrupted contexts: ok");
  return 0;
}

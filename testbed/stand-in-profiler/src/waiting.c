/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "waiting.h"

#include <stddef.h>
#include <time.h>

static sigset_t original_mask;
static bool stop_requested;

static uint64_t clock_ns(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (uint64_t)now.tv_sec * NS_PER_SECOND + (uint64_t)now.tv_nsec;
}

uint64_t now_ns(void) { return clock_ns(CLOCK_MONOTONIC); }

uint64_t unix_now_ns(void) { return clock_ns(CLOCK_REALTIME); }

static struct timespec time_left(uint64_t deadline_ns) {
  uint64_t now = now_ns();
  uint64_t left = now < deadline_ns ? deadline_ns - now : 0;
  return (struct timespec){.tv_sec = (time_t)(left / NS_PER_SECOND),
                           .tv_nsec = (long)(left % NS_PER_SECOND)};
}

void waiting_init(void) {
  sigset_t blocked;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGCHLD);
  sigaddset(&blocked, SIGINT);
  sigaddset(&blocked, SIGTERM);
  sigprocmask(SIG_BLOCK, &blocked, &original_mask);
  /* An inherited SIG_IGN would suppress both the signal and the exit status. */
  signal(SIGCHLD, SIG_DFL);
}

const sigset_t *waiting_original_mask(void) { return &original_mask; }

bool wait_until(uint64_t deadline_ns) {
  sigset_t stop_signals;
  sigemptyset(&stop_signals);
  sigaddset(&stop_signals, SIGINT);
  sigaddset(&stop_signals, SIGTERM);
  struct timespec left = time_left(deadline_ns);
  while (!stop_requested) {
    if (sigtimedwait(&stop_signals, NULL, &left) > 0) {
      stop_requested = true;
    } else if (now_ns() >= deadline_ns) {
      return true;
    }
    left = time_left(deadline_ns);
  }
  return false;
}

void wait_for_child_news(uint64_t deadline_ns) {
  sigset_t child_signal;
  sigemptyset(&child_signal);
  sigaddset(&child_signal, SIGCHLD);
  struct timespec left = time_left(deadline_ns);
  sigtimedwait(&child_signal, NULL, &left);
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "deferred_signal.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { SIGNALS = 64, ATTEMPTS = 8 };

/*
 * The kernel's struct, which has no padding. The C library would hide the actions of its own
 * signals, and change the flags of others.
 */
typedef struct {
  uintptr_t handler;
  unsigned long flags;
  uintptr_t restorer;
  uint64_t mask;
} action;

static int exchange(int signal, const action *next, action *before) {
  return (int)syscall(SYS_rt_sigaction, signal, next, before, sizeof(before->mask));
}

static int is_handled(const action *known) {
  return known->handler != (uintptr_t)SIG_DFL && known->handler != (uintptr_t)SIG_IGN;
}

static void block_during_handler(int signal, uint64_t blocked) {
  action wanted;
  if (exchange(signal, NULL, &wanted) != 0 || !is_handled(&wanted) || (wanted.mask & blocked) != 0) {
    return;
  }
  action expected = wanted;
  for (int i = 0; i < ATTEMPTS; i++) {
    action before;
    wanted.mask |= blocked;
    if (exchange(signal, &wanted, &before) != 0 || memcmp(&before, &expected, sizeof(before)) == 0) {
      return;
    }
    expected = wanted;
    wanted = before; /* somebody has installed it meanwhile, so it has to return */
  }
}

int pc_defer_to_handlers(int signal) {
  if (signal < 1 || signal > SIGNALS) {
    return EINVAL;
  }
  for (int other = 1; other <= SIGNALS; other++) {
    if (other != signal) {
      block_during_handler(other, UINT64_C(1) << (signal - 1));
    }
  }
  return 0;
}

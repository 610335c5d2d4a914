/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "interrupted_context.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

enum { SIGNALS = 64 };

typedef void handler(int signal, siginfo_t *info, void *context);

/* The kernel's struct. The C library hides the actions of its own signals. */
typedef struct {
  uintptr_t handler;
  unsigned long flags;
  uintptr_t restorer;
  uint64_t mask;
} action;

static handler *behind[SIGNALS + 1];

/*
 * Returns what the handler that is about to begin was given, or NULL if none is about to begin. It
 * lies where the kernel has just put it: at the top of the stack.
 */
static ucontext_t *interrupted_by_handler(const ucontext_t *context) {
#ifdef __x86_64__
  const greg_t *registers = context->uc_mcontext.gregs;
  uintptr_t pc = (uintptr_t)registers[REG_RIP];
  uintptr_t signal = (uintptr_t)registers[REG_RDI];
  uintptr_t inner = (uintptr_t)registers[REG_RDX];
  uintptr_t expected = (uintptr_t)registers[REG_RSP] + sizeof(void *); /* above the return address */
#else
  uintptr_t pc = (uintptr_t)context->uc_mcontext.pc;
  uintptr_t signal = (uintptr_t)context->uc_mcontext.regs[0];
  uintptr_t inner = (uintptr_t)context->uc_mcontext.regs[2];
  uintptr_t expected = (uintptr_t)context->uc_mcontext.sp + sizeof(siginfo_t);
#endif
  if (inner != expected || signal == 0 || signal > SIGNALS) {
    return NULL;
  }
  action current;
  long error = syscall(SYS_rt_sigaction, signal, NULL, &current, sizeof(current.mask));
  return error == 0 && current.handler == pc ? (ucontext_t *)inner : NULL;
}

static void see_through(int signal, siginfo_t *info, void *context) {
  int error = errno;
  ucontext_t *seen = context;
  for (ucontext_t *next; (next = interrupted_by_handler(seen)) != NULL;) {
    seen = next;
  }
  __atomic_load_n(&behind[signal], __ATOMIC_RELAXED)(signal, info, seen);
  errno = error;
}

int pc_see_through_handlers(int signal) {
  if (signal < 1 || signal > SIGNALS) {
    return EINVAL;
  }
  struct sigaction current;
  if (sigaction(signal, NULL, &current) != 0) {
    return errno;
  }
  if (current.sa_sigaction == see_through) {
    return 0;
  }
  if ((current.sa_flags & SA_SIGINFO) == 0) {
    return EINVAL;
  }
  __atomic_store_n(&behind[signal], current.sa_sigaction, __ATOMIC_RELAXED);
  current.sa_sigaction = see_through;
  return sigaction(signal, &current, NULL) == 0 ? 0 : errno;
}

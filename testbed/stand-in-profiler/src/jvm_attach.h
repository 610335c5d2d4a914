/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef JVM_ATTACH_H
#define JVM_ATTACH_H

#include <stddef.h>
#include <sys/types.h>

#include "reason.h"
#include "tracer.h"

struct thread_dump {
  char *text; /* ends with a NUL */
  size_t length;
};

enum dump_result {
  DUMP_DONE,
  DUMP_FAILED,    /* the next one may work */
  DUMP_IMPOSSIBLE /* the process is not a JVM, or does not listen */
};

/*
 * Requests the stacks of all Java threads from a JVM, like jcmd PID Thread.print. Waits up to ten
 * seconds until the JVM listens, and up to five for the dump. Meanwhile, the tracer must release
 * its late threads: a dump waits until all Java threads have reached a safepoint.
 */
enum dump_result jvm_thread_dump(pid_t pid, struct tracer *tracer, struct thread_dump *dump,
                                 struct reason *reason);

#endif

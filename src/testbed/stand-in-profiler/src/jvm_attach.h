/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef JVM_ATTACH_H
#define JVM_ATTACH_H

#include <stddef.h>
#include <sys/types.h>

#include "reason.h"
#include "tracer.h"

struct thread_dump {
  char *text; /* with a NUL at its end */
  size_t length;
  size_t capacity;
};

enum dump_result {
  DUMP_DONE,
  DUMP_FAILED,    /* the next one may work */
  DUMP_IMPOSSIBLE /* the process is no JVM, or one that does not listen */
};

/*
 * Asks a JVM for the stacks of all its Java threads, as jcmd PID Thread.print does. Waits at most
 * ten seconds until the JVM listens, and five for the dump itself. Meanwhile the tracer has to
 * release its late threads: a dump waits until all Java threads have reached a safepoint.
 */
enum dump_result jvm_thread_dump(pid_t pid, struct tracer *tracer, struct thread_dump *dump,
                                 struct reason *reason);

#endif

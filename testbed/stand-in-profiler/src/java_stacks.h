/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef JAVA_STACKS_H
#define JAVA_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "jvm_attach.h"
#include "stack_id.h"

#define JAVA_FRAMES_LIMIT 128

/* Frames "package.Class.method", leaf first; they point into the dump's text. */
struct java_stack {
  size_t count;
  struct {
    const char *name;
    size_t length;
  } frames[JAVA_FRAMES_LIMIT];
};

/*
 * Finds the stack of a thread in a dump. "tid" is the native thread id in the JVM's PID namespace.
 * Returns false if the dump lacks the thread, or if it has no Java frames.
 */
bool java_stack_find(const struct thread_dump *dump, pid_t tid, struct java_stack *stack);

struct stack_id java_stack_id(const struct java_stack *stack);

#endif

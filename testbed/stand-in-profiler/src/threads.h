/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef THREADS_H
#define THREADS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define THREAD_NAME_SIZE 16 /* the kernel's TASK_COMM_LEN */

struct thread {
  pid_t tid;
  char name[THREAD_NAME_SIZE];
};

struct thread_choice {
  bool on_cpu_only;
  const char *name_prefix; /* null: any */
};

struct thread_list {
  struct thread *items;
  size_t count;
  size_t capacity;
};

/* Lists the current threads; returns false if the process has ended. */
bool threads_list(pid_t pid, const struct thread_choice *choice, struct thread_list *list);

#endif

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef LIBRARY_H
#define LIBRARY_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "reason.h"

/* The executable mapping of a library that matches .*\/elastic-jvmti-linux-([\w-]*)\.so */
struct library {
  uint64_t start;
  uint64_t end;
  uint64_t file_offset;
  uint64_t inode;
  bool deleted;
  char path[PATH_MAX]; /* as the target sees it, without " (deleted)" */
};

enum find_result { FIND_FOUND, FIND_NONE, FIND_FAILED };

/* Searches /proc/PID/maps, and takes the first of several libraries. */
enum find_result library_find(pid_t pid, struct library *library, struct reason *reason);

/* Opens the mapped file, deleted or not; returns its descriptor, or -1 with the reason. */
int library_open(pid_t pid, const struct library *library, struct reason *reason);

#endif

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef PROC_FILES_H
#define PROC_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Reads a whole file of /proc as text with a NUL at its end, cut if the space is too small. */
bool read_proc_file(const char *path, char *into, size_t size);

/* Returns the value of a line "Key:<tab>value" in a text such as /proc/PID/status, or null. */
const char *status_value(const char *status, const char *key, char *into, size_t size);

/* Returns the id of a process or thread in its own PID namespace, or 0 if it is gone. */
pid_t inner_pid(pid_t pid, pid_t tid);

/* Returns whether a process and we use the same ids for it and its threads; false if unknown. */
bool same_pid_namespace(pid_t pid);

#endif

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef PROC_FILES_H
#define PROC_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Reads a file of /proc whole, as text with a NUL at its end; cut if the space is too small. */
bool read_proc_file(const char *path, char *into, size_t size);

/* The value of a line "Key:<tab>value" in a text such as /proc/PID/status, or null. */
const char *status_value(const char *status, const char *key, char *into, size_t size);

/* The id of a process or thread in its own PID namespace: what it calls itself. 0 if gone. */
pid_t inner_pid(pid_t pid, pid_t tid);

/* Whether a process has the same ids for itself and its threads as we have; false if unknown. */
bool same_pid_namespace(pid_t pid);

#endif

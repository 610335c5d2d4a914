/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef PROC_FILES_H
#define PROC_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Reads a file of /proc as text that ends with a NUL; cuts it if the space is too small. */
bool read_proc_file(const char *path, char *into, size_t size);

/* Returns the value of a line "Key:<tab>value" in a text such as /proc/PID/status, or null. */
const char *status_value(const char *status, const char *key, char *into, size_t size);

/* Returns the id of a process or thread in the PID namespace it runs in, or 0 if it has ended. */
pid_t inner_pid(pid_t pid, pid_t tid);

/* Returns whether a process sees the same process and thread ids as we do; false if unknown. */
bool same_pid_namespace(pid_t pid);

#endif

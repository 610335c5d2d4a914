/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef PROCESS_MEMORY_H
#define PROCESS_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Copies memory of another process; returns false and sets errno unless all bytes could be read. */
bool read_memory(pid_t pid, uint64_t address, void *into, size_t length);

#endif

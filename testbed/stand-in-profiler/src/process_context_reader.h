/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef PROCESS_CONTEXT_READER_H
#define PROCESS_CONTEXT_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "context_protocol.h"
#include "reason.h"

/* A copy of the process context as it was published at one time. */
struct process_context {
  uint64_t published_at_ns;
  size_t size;
  uint8_t payload[PROCESS_CONTEXT_PAYLOAD_LIMIT];
};

/* Finds and copies the process context; returns false with the reason if no valid one exists. */
bool process_context_read(pid_t pid, struct process_context *context, struct reason *reason);

#endif

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef STACK_ID_H
#define STACK_ID_H

#include <stddef.h>
#include <stdint.h>

#include "protocol.h"

/* A 128-bit FNV-1a hash, like the stack trace ids of the public profiler. */
struct stack_hash {
  unsigned __int128 value;
};

struct stack_id {
  uint8_t bytes[STACK_TRACE_ID_SIZE];
};

#define STACK_ID_TEXT_SIZE 23 /* 22 characters and NUL */

void stack_hash_begin(struct stack_hash *hash);
void stack_hash_add(struct stack_hash *hash, const void *bytes, size_t length);

/* Most significant byte first. */
struct stack_id stack_hash_end(const struct stack_hash *hash);

/* Base64 with the URL-safe alphabet and without padding, as in elastic.profiler_stack_trace_ids. */
void stack_id_text(const struct stack_id *id, char text[STACK_ID_TEXT_SIZE]);

#endif

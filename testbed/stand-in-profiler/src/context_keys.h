/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef CONTEXT_KEYS_H
#define CONTEXT_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "context_protocol.h"
#include "reason.h"

#define SCHEMA_VERSION_SIZE 64
#define CONTEXT_SERVICE_NAME_SIZE 256

struct text {
  const char *at; /* without a NUL at the end */
  size_t length;
};

/* The parts of a process context that a reader of thread contexts uses. */
struct context_keys {
  char service_name[CONTEXT_SERVICE_NAME_SIZE];   /* cut if longer, empty if missing */
  char schema_version[SCHEMA_VERSION_SIZE];       /* cut if longer, empty if missing */
  bool has_key_map;
  size_t key_count;
  struct text keys[KEY_MAP_LIMIT]; /* point into the payload */
};

/*
 * Decodes a payload, which must outlive the keys. Returns false with the reason if the threads of
 * the process must not be read.
 */
bool context_keys_decode(const uint8_t *payload, size_t size, struct context_keys *keys,
                         struct reason *reason);

#endif

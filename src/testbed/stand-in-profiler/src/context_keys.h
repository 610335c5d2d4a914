/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
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
  const char *at; /* not ended by a NUL */
  size_t length;
};

/* All that a reader of thread contexts takes from a process context. */
struct context_keys {
  char service_name[CONTEXT_SERVICE_NAME_SIZE];   /* cut if it is longer, empty if there is none */
  char schema_version[SCHEMA_VERSION_SIZE];       /* the same */
  bool has_key_map;
  size_t key_count;
  struct text keys[KEY_MAP_LIMIT]; /* parts of the payload */
};

/*
 * Decodes a payload, which has to outlive the keys. Returns false with the reason if the threads of
 * such a process are not to be read.
 */
bool context_keys_decode(const uint8_t *payload, size_t size, struct context_keys *keys,
                         struct reason *reason);

#endif

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef CONTEXT_ATTRIBUTES_H
#define CONTEXT_ATTRIBUTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "context_keys.h"
#include "thread_sample.h"

/* The attributes of a record, and the problems that made a reader drop some. */
struct context_attributes {
  struct text values[KEY_MAP_LIMIT]; /* by key index; "at" is null if the attribute is missing */
  uint64_t unknown_keys;
  uint64_t not_utf8;
  bool cut_by_writer; /* the last entry is longer than the remaining bytes */
  bool cut_by_limit;  /* the record has more bytes than a reader accepts */
};

/* Decodes the attributes of a valid record; the values point into the sample. */
void context_attributes_decode(const struct context_sample *sample, size_t key_count,
                               struct context_attributes *attributes);

#endif

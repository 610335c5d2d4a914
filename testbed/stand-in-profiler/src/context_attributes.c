/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "context_attributes.h"

#include "utf8.h"

void context_attributes_decode(const struct context_sample *sample, size_t key_count,
                               struct context_attributes *attributes) {
  *attributes = (struct context_attributes){0};
  size_t size = sample->attributes_size, at = 0;
  attributes->cut_by_limit = sample->record.attributes_size > size;
  while (size - at >= ATTRIBUTE_HEAD_SIZE) {
    uint8_t key = sample->attributes[at], length = sample->attributes[at + 1];
    const uint8_t *value = sample->attributes + at + ATTRIBUTE_HEAD_SIZE;
    if (length > size - at - ATTRIBUTE_HEAD_SIZE) {
      break;
    }
    at += ATTRIBUTE_HEAD_SIZE + (size_t)length;
    if (key >= key_count) {
      attributes->unknown_keys++;
    } else if (!is_utf8(value, length)) {
      attributes->not_utf8++;
    } else {
      attributes->values[key] = (struct text){.at = (const char *)value, .length = length};
    }
  }
  attributes->cut_by_writer = at < size && !attributes->cut_by_limit;
}

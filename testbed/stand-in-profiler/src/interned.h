/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef INTERNED_H
#define INTERNED_H

#include <stddef.h>
#include <stdint.h>

#define INTERNED_FAILED UINT32_MAX

/* Distinct byte sequences with indices in the order of arrival. All zeros is an empty set. */
struct interned {
  uint8_t *bytes; /* of all items, concatenated */
  size_t bytes_capacity;
  size_t *ends; /* the end of each item in "bytes" */
  size_t ends_capacity;
  uint32_t count;
  uint32_t *places; /* a hash table of index + 1; zero is a free place */
  size_t place_count;
};

struct interned_item {
  const uint8_t *bytes; /* valid until another item is added */
  size_t size;
};

/* Returns the index of these bytes, and adds them if they are new; or INTERNED_FAILED. */
uint32_t interned_add(struct interned *items, const void *bytes, size_t size);

struct interned_item interned_get(const struct interned *items, uint32_t index);

/* Returns the size of all items in bytes. */
size_t interned_size(const struct interned *items);

void interned_free(struct interned *items);

#endif

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "interned.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_PLACES 64

static uint64_t hash_of(const uint8_t *bytes, size_t size) {
  uint64_t hash = 0xcbf29ce484222325; /* FNV-1a */
  for (size_t i = 0; i < size; i++) {
    hash = (hash ^ bytes[i]) * 0x100000001b3;
  }
  return hash;
}

struct interned_item interned_get(const struct interned *items, uint32_t index) {
  size_t begin = index == 0 ? 0 : items->ends[index - 1];
  return (struct interned_item){.bytes = items->bytes + begin, .size = items->ends[index] - begin};
}

size_t interned_size(const struct interned *items) {
  return items->count == 0 ? 0 : items->ends[items->count - 1];
}

/* Returns the place of these bytes, or the free place for them. */
static uint32_t *place_of(const struct interned *items, const uint8_t *bytes, size_t size) {
  size_t at = hash_of(bytes, size) & (items->place_count - 1);
  for (; items->places[at] != 0; at = (at + 1) & (items->place_count - 1)) {
    struct interned_item item = interned_get(items, items->places[at] - 1);
    if (item.size == size && (size == 0 || memcmp(item.bytes, bytes, size) == 0)) {
      break;
    }
  }
  return &items->places[at];
}

static bool grow_places(struct interned *items) {
  if (2 * (size_t)items->count < items->place_count) {
    return true;
  }
  size_t count = items->place_count == 0 ? FIRST_PLACES : 2 * items->place_count;
  uint32_t *places = calloc(count, sizeof *places);
  if (places == NULL) {
    return false;
  }
  free(items->places);
  items->places = places;
  items->place_count = count;
  for (uint32_t i = 0; i < items->count; i++) {
    struct interned_item item = interned_get(items, i);
    *place_of(items, item.bytes, item.size) = i + 1;
  }
  return true;
}

static bool reserve(void **memory, size_t *capacity, size_t needed, size_t item_size) {
  if (needed <= *capacity) {
    return true;
  }
  size_t larger = 2 * *capacity < needed ? needed + FIRST_PLACES : 2 * *capacity;
  void *moved = realloc(*memory, larger * item_size);
  if (moved == NULL) {
    return false;
  }
  *memory = moved;
  *capacity = larger;
  return true;
}

uint32_t interned_add(struct interned *items, const void *bytes, size_t size) {
  if (!grow_places(items)) {
    return INTERNED_FAILED;
  }
  uint32_t *place = place_of(items, bytes, size);
  if (*place != 0) {
    return *place - 1;
  }
  size_t begin = interned_size(items);
  void *all = items->bytes, *ends = items->ends;
  bool done = reserve(&all, &items->bytes_capacity, begin + size, 1) &&
              reserve(&ends, &items->ends_capacity, (size_t)items->count + 1, sizeof *items->ends);
  items->bytes = all;
  items->ends = ends;
  if (!done) {
    return INTERNED_FAILED;
  }
  if (size > 0) {
    memcpy(items->bytes + begin, bytes, size);
  }
  items->ends[items->count] = begin + size;
  *place = ++items->count;
  return items->count - 1;
}

void interned_free(struct interned *items) {
  free(items->bytes);
  free(items->ends);
  free(items->places);
  *items = (struct interned){0};
}

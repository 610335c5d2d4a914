/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "code_mappings.h"

#include <stdlib.h>
#include <unistd.h>

#include "waiting.h"

#define LOOK_AGAIN_NS NS_PER_SECOND
#define OUT_OF_DATE_NS (10 * NS_PER_SECOND)

static bool add(struct code_mappings *mappings, const struct mapping *mapping) {
  if (mappings->count == mappings->capacity) {
    size_t capacity = mappings->capacity == 0 ? 64 : 2 * mappings->capacity;
    struct code_mapping *items = realloc(mappings->items, capacity * sizeof *items);
    if (items == NULL) {
      return false;
    }
    mappings->items = items;
    mappings->capacity = capacity;
  }
  mappings->items[mappings->count++] = (struct code_mapping){.mapping = *mapping};
  return mappings->count < CODE_MAPPINGS_LIMIT;
}

static void look(struct code_mappings *mappings) {
  static struct mappings lines;
  static struct mapping mapping;
  struct reason reason;
  mappings->count = 0;
  if (!mappings_open(&lines, mappings->pid, &reason)) {
    return; /* the process has ended, which the caller also notices */
  }
  bool going_on = true;
  while (going_on && mappings_next(&lines, &mapping)) {
    going_on = !mapping.executable || add(mappings, &mapping);
  }
  mappings_close(&lines, &reason);
}

static struct code_mapping *known(const struct code_mappings *mappings, uint64_t address) {
  for (size_t i = 0; i < mappings->count; i++) {
    const struct mapping *mapping = &mappings->items[i].mapping;
    if (address >= mapping->start && address < mapping->end) {
      return &mappings->items[i];
    }
  }
  return NULL;
}

static void read_build_id(pid_t pid, struct code_mapping *found) {
  found->build_id_known = true;
  if (!mapping_is_code(&found->mapping)) {
    return;
  }
  struct reason reason;
  int fd = mapping_open_file(pid, &found->mapping, &reason);
  if (fd >= 0) {
    build_id_read(fd, found->build_id);
    close(fd);
  }
}

const struct code_mapping *code_mappings_find(struct code_mappings *mappings, uint64_t address) {
  uint64_t now = now_ns();
  struct code_mapping *found = known(mappings, address);
  /* Another library may have replaced an unloaded one, so the list is refreshed periodically. */
  if ((found == NULL && now >= mappings->next_look_ns) ||
      now >= mappings->next_look_ns + OUT_OF_DATE_NS) {
    look(mappings);
    mappings->next_look_ns = now + LOOK_AGAIN_NS;
    found = known(mappings, address);
  }
  if (found != NULL && !found->build_id_known) {
    read_build_id(mappings->pid, found);
  }
  return found;
}

void code_mappings_free(struct code_mappings *mappings) {
  free(mappings->items);
  mappings->items = NULL;
  mappings->count = mappings->capacity = 0;
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "library.h"

#include <ctype.h>
#include <string.h>

#include "protocol.h"

static bool is_library(const struct mapping *mapping) {
  if (!mapping_is_code(mapping)) {
    return false;
  }
  const char *name = strrchr(mapping->path, '/') + 1;
  if (strncmp(name, LIBRARY_PREFIX, strlen(LIBRARY_PREFIX)) != 0) {
    return false;
  }
  name += strlen(LIBRARY_PREFIX);
  while (isalnum((unsigned char)*name) || *name == '_' || *name == '-') {
    name++;
  }
  return strcmp(name, LIBRARY_SUFFIX) == 0;
}

enum find_result library_find(pid_t pid, struct mapping *library, struct reason *reason) {
  return mappings_find(pid, is_library, library, reason);
}

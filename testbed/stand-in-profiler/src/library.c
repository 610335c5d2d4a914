/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "library.h"

#include <ctype.h>
#include <string.h>

#include "protocol.h"

static bool name_matches(const char *path) {
  const char *name = strrchr(path, '/') + 1;
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
  static struct mappings mappings;
  if (!mappings_open(&mappings, pid, reason)) {
    return FIND_FAILED;
  }
  enum find_result result = FIND_NONE;
  while (result == FIND_NONE && mappings_next(&mappings, library)) {
    if (mapping_is_code(library) && name_matches(library->path)) {
      result = FIND_FOUND;
    }
  }
  if (!mappings_close(&mappings, reason) && result == FIND_NONE) {
    result = FIND_FAILED;
  }
  return result;
}

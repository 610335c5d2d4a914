/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef MAPPINGS_H
#define MAPPINGS_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "reason.h"

/* A line of /proc/PID/maps. */
struct mapping {
  uint64_t start;
  uint64_t end;
  uint64_t file_offset;
  uint64_t inode; /* 0: no file is mapped */
  bool executable;
  bool writable;
  bool deleted;
  char path[PATH_MAX]; /* as seen by the target, without " (deleted)"; may be a name in brackets */
};

struct mappings {
  FILE *maps;
  char path[64];
  char line[PATH_MAX + 128];
};

/* Opens /proc/PID/maps, or returns false with the reason. */
bool mappings_open(struct mappings *mappings, pid_t pid, struct reason *reason);

/* Returns false after the last mapping. */
bool mappings_next(struct mappings *mappings, struct mapping *mapping);

/* Returns false with the reason unless all mappings could be read. */
bool mappings_close(struct mappings *mappings, struct reason *reason);

enum find_result { FIND_FOUND, FIND_NONE, FIND_FAILED };

/* Searches for the first mapping that matches; sets the reason only if not all could be read. */
enum find_result mappings_find(pid_t pid, bool (*matches)(const struct mapping *mapping),
                               struct mapping *found, struct reason *reason);

/* Returns whether this is an executable mapping of a file with a path. */
bool mapping_is_code(const struct mapping *mapping);

/* Returns whether the memory at this address is writable; sets the reason only if unknown. */
bool mappings_writable_at(pid_t pid, uint64_t address, bool *writable, struct reason *reason);

/* Opens the mapped file, deleted or not; returns its descriptor, or -1 with the reason. */
int mapping_open_file(pid_t pid, const struct mapping *mapping, struct reason *reason);

#endif

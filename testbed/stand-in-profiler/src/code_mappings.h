/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef CODE_MAPPINGS_H
#define CODE_MAPPINGS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "build_id.h"
#include "mappings.h"

#define CODE_MAPPINGS_LIMIT 1024

struct code_mapping {
  struct mapping mapping;
  bool build_id_known;
  char build_id[BUILD_ID_TEXT_SIZE]; /* empty if missing or not readable */
};

/* The executable mappings of a process, refreshed when an address is unknown. */
struct code_mappings {
  pid_t pid;
  struct code_mapping *items;
  size_t count;
  size_t capacity;
  uint64_t next_look_ns;
};

/* Returns the mapping of an instruction, or null. Valid until the next call. */
const struct code_mapping *code_mappings_find(struct code_mappings *mappings, uint64_t address);

void code_mappings_free(struct code_mappings *mappings);

#endif

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef SUMMARY_FIELDS_H
#define SUMMARY_FIELDS_H

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

#include "json.h"
#include "summary.h"

static inline void summary_text(FILE *out, const char *name, const char *value) {
  fprintf(out, "  \"%s\": ", name);
  json_text(out, value);
  fputs(",\n", out);
}

static inline void summary_number(FILE *out, const char *name, uint64_t value) {
  fprintf(out, "  \"%s\": %" PRIu64 ",\n", name, value);
}

/* Writes the fields about OpenTelemetry records. */
void summary_contexts(FILE *out, const struct summary *summary);

/* Prints the line about OpenTelemetry records to stderr. */
void say_context_counters(const struct summary *summary);

#endif

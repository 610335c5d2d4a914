/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef SUMMARY_H
#define SUMMARY_H

#include <stdbool.h>
#include <stdint.h>

#include "attachment.h"
#include "context_attachment.h"
#include "context_counters.h"
#include "counters.h"
#include "exporter.h"
#include "reason.h"
#include "tracer.h"

struct summary {
  bool attached;
  bool registered;
  uint64_t attach_ms;
  double seconds; /* spent sampling */
  const struct attachment *attachment;
  const struct counters *counters;
  const struct tracer *tracer;
  const struct context_attachment *contexts; /* null: not read, so not in the file */
  const struct context_counters *context_counters;
  const struct exporter *exporter;
  bool compared; /* both records were read */
};

/* Writes the JSON file, if a path is given, and a line to stderr. */
bool summary_write(const struct summary *summary, const char *path, struct reason *reason);

#endif

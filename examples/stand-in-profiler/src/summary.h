/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef SUMMARY_H
#define SUMMARY_H

#include <stdbool.h>
#include <stdint.h>

#include "attachment.h"
#include "counters.h"
#include "reason.h"
#include "tracer.h"

struct summary {
  bool attached;
  bool registered;
  uint64_t attach_ms;
  double seconds; /* of sampling */
  const struct attachment *attachment;
  const struct counters *counters;
  const struct tracer *tracer;
};

/* Writes the JSON file, if a path is given, and a line on stderr. */
bool summary_write(const struct summary *summary, const char *path, struct reason *reason);

#endif

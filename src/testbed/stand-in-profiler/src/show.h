/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef SHOW_H
#define SHOW_H

#include <stdbool.h>

#include "attachment.h"
#include "context_attachment.h"
#include "thread_reader.h"
#include "threads.h"

/* The data that is shown of a process. */
struct shown {
  const struct attachment *attachment; /* null: Elastic's protocol is not shown */
  bool has_storage;
  const struct context_attachment *contexts; /* null: OpenTelemetry's is not shown */
  const struct thread_reader *reader;
};

/* Prints what a profiler sees of the process as one JSON object on stdout. */
void show(const struct shown *shown, const struct thread_choice *choice);

#endif

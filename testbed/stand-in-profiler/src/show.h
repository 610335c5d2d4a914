/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef SHOW_H
#define SHOW_H

#include <stdbool.h>

#include "attachment.h"
#include "context_attachment.h"
#include "thread_reader.h"
#include "threads.h"

/* The data of a process that is shown. */
struct shown {
  const struct attachment *attachment; /* null: do not show Elastic's protocol */
  bool has_storage;
  const struct context_attachment *contexts; /* null: do not show OpenTelemetry's */
  const struct thread_reader *reader;
};

/* Prints a profiler's view of the process to stdout, as one JSON object. */
void show(const struct shown *shown, const struct thread_choice *choice);

#endif

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef SHOW_H
#define SHOW_H

#include <stdbool.h>
#include <sys/types.h>

#include "attachment.h"
#include "threads.h"
#include "tracer.h"

/* Prints what a profiler sees of the process as one JSON object on stdout. */
void show(pid_t pid, const struct attachment *attachment, bool has_storage,
          const struct thread_choice *choice, struct tracer *tracer);

#endif

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef CONTEXT_ATTACHMENT_H
#define CONTEXT_ATTACHMENT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "context_keys.h"
#include "mappings.h"
#include "process_context.h"
#include "reason.h"
#include "tls_variable.h"

/* All data that a profiler needs of a process before it can read its thread contexts. */
struct context_attachment {
  bool attached;
  bool ever_attached;
  struct reason reason; /* why it is not attached */
  struct mapping library;
  struct tls_variable variable;
  struct process_context context;
  struct context_keys keys; /* parts of the process context */
  struct reason told;
  uint64_t next_look_ns;
};

/*
 * Attempts to attach, or looks whether the process context has changed since. The library is only
 * searched if the process context has the keys, as the process may still be loading it.
 */
bool context_attachment_look(pid_t pid, struct context_attachment *attachment);

/* The same at most once a second, with a line on stderr for each news. */
void context_attachment_refresh(pid_t pid, struct context_attachment *attachment);

#endif

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef CONTEXT_ATTACHMENT_H
#define CONTEXT_ATTACHMENT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "context_keys.h"
#include "mappings.h"
#include "process_context_reader.h"
#include "reason.h"
#include "tls_variable.h"

/* The data of a process that a profiler needs before it can read thread contexts. */
struct context_attachment {
  bool attached;
  bool ever_attached;
  struct reason reason; /* the reason why it is not attached */
  struct mapping library;
  struct tls_variable variable;
  struct process_context context;
  struct context_keys keys; /* parts of the process context */
  struct reason told;
  uint64_t next_look_ns;
};

/*
 * Attempts to attach, or checks whether the process context has changed since. Searches for the
 * library only if the process context has the keys, because the process may still be loading it.
 */
bool context_attachment_look(pid_t pid, struct context_attachment *attachment);

/* Does the same at most once a second, and prints a line to stderr when the result changes. */
void context_attachment_refresh(pid_t pid, struct context_attachment *attachment);

#endif

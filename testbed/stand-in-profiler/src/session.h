/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef SESSION_H
#define SESSION_H

#include "attachment.h"
#include "context_attachment.h"
#include "context_counters.h"
#include "counters.h"
#include "messages.h"
#include "options.h"
#include "output.h"
#include "profile_samples.h"
#include "reason.h"
#include "summary.h"
#include "target.h"
#include "tracer.h"

/* How the session ended. */
enum ending { ENDING_STOPPED, ENDING_TARGET_ENDED, ENDING_FAILED };

/* A run of the program against one process. */
struct session {
  struct options options;
  struct target target;
  struct tracer tracer;
  struct attachment attachment;
  struct context_attachment contexts;
  struct counters counters;
  struct context_counters context_counters;
  struct output output;
  struct messages messages;
  struct profile_samples profiles;
  struct summary summary;
  struct reason reason;
};

static inline bool reads_elastic(const struct session *session) {
  return session->options.protocol & PROTOCOL_ELASTIC;
}

static inline bool reads_otel(const struct session *session) {
  return session->options.protocol & PROTOCOL_OTEL;
}

/* Attaches as soon as the library is loaded, then samples until the session ends. */
enum ending session_run(struct session *session);

#endif

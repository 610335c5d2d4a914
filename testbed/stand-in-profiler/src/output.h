/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef OUTPUT_H
#define OUTPUT_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "java_stacks.h"
#include "options.h"
#include "protocol.h"
#include "reason.h"
#include "thread_sample.h"

/* The three files with one line per event. Each is optional. */
struct output {
  FILE *records;
  FILE *sent;
  FILE *stacks;
  void *known; /* the ids that are already in the file of stacks, a tree of tsearch */
};

/* A null path means no file. Stacks are appended to the file; the other files are overwritten. */
bool output_open(struct output *output, const char *records_path, const char *sent_path,
                 const char *stacks_path, struct reason *reason);

/* Writes a line if a record shows a trace. With both protocols, it has both records, or "-". */
void output_sample(struct output *output, enum protocol protocol, pid_t tid,
                   const struct thread_sample *sample);

void output_sent(struct output *output, const struct correlation_message *message);

/* Writes a new stack at once, so that the file has the stack of each id that was sent. */
void output_stack(struct output *output, const struct stack_id *id,
                  const struct java_stack *stack);

/* Returns false with the reason if a file is incomplete. */
bool output_close(struct output *output, struct reason *reason);

#endif

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
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

/* The three files with one line per event; each may be absent. */
struct output {
  FILE *records;
  FILE *sent;
  FILE *stacks;
  /* The ids that are already in the file of stacks: a hash table, where zero is free. */
  struct stack_id *known;
  size_t known_count;
  size_t known_capacity;
};

/* With a null path, the file is not written. Stacks are appended, the others are overwritten. */
bool output_open(struct output *output, const char *records_path, const char *sent_path,
                 const char *stacks_path, struct reason *reason);

/* Writes a line if a record shows a trace: both records with both protocols, "-" for none. */
void output_sample(struct output *output, enum protocol protocol, pid_t tid,
                   const struct thread_sample *sample);

void output_sent(struct output *output, const struct correlation_message *message);

/* Writes a new stack at once, so that each id that is sent can be found. */
void output_stack(struct output *output, const struct stack_id *id,
                  const struct java_stack *stack);

/* Returns false if something could not be written. */
bool output_close(struct output *output, struct reason *reason);

#endif

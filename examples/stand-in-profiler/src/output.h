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
#include "protocol.h"
#include "reason.h"

/* The three files with one line per event; each may be absent. */
struct output {
  FILE *records;
  FILE *sent;
  FILE *stacks;
  /* Ids which are in the file of stacks already: a hash table, zero is free. */
  struct stack_id *known;
  size_t known_count;
  size_t known_capacity;
};

/* A null path means: do not write this file. Stacks are appended, the others begin anew. */
bool output_open(struct output *output, const char *records_path, const char *sent_path,
                 const char *stacks_path, struct reason *reason);

void output_record(struct output *output, pid_t tid, const struct thread_record *record);
void output_sent(struct output *output, const struct correlation_message *message);

/* Writes a stack that was not there before, at once, so that each id which is sent can be found. */
void output_stack(struct output *output, const struct stack_id *id,
                  const struct java_stack *stack);

/* False if something could not be written. */
bool output_close(struct output *output, struct reason *reason);

#endif

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef EXPORTER_H
#define EXPORTER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "reason.h"
#include "tracer.h"

/*
 * The program in the folder "exporter", as our child. It gets lines of JSON through a socket, and
 * exports them in its own time. Lines for which the socket has no room wait in memory, 8 MiB at most;
 * further ones are dropped.
 */
struct exporter {
  pid_t pid; /* 0: not started */
  int socket;
  char *waiting; /* lines, of which the first bytes are sent */
  size_t size;
  size_t sent;
  char *line; /* being written */
  size_t line_size;
  FILE *stream; /* into the line */
  uint64_t dropped;
  char summary[1024]; /* its counters, as lines of the summary */
};

/* Starts the program. Exits if it refuses the URL. */
bool exporter_start(struct exporter *exporter, const char *url, double interval,
                    struct reason *reason);

/* Returns a stream for the next line, or null if the line is dropped. Never waits. */
FILE *exporter_begin_line(struct exporter *exporter);

/* Ends that line. */
void exporter_end_line(struct exporter *exporter);

/* Lets the program deliver the remaining samples for a few seconds, and ends it. */
void exporter_close(struct exporter *exporter, uint64_t moved_on, struct tracer *tracer);

#endif

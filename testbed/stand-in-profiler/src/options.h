/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "threads.h"

/* The exit status for invalid options. */
#define EXIT_USAGE 2

/* The protocols whose records are read, as bits. */
enum protocol { PROTOCOL_ELASTIC = 1, PROTOCOL_OTEL = 2, PROTOCOL_BOTH = 3 };

struct options {
  enum protocol protocol;
  pid_t pid;      /* 0: start a command */
  char **command; /* null: use "pid" */
  bool show;
  bool retry_null;
  bool retry_send;
  bool stacks;
  bool registration;
  uint32_t samples_delay_ms;
  const char *host_id;
  double rate;            /* ticks per second; 0: as fast as possible */
  double duration;        /* seconds; 0: no limit */
  double attach_timeout;  /* seconds */
  uint64_t samples_limit; /* traced samples; 0: no limit */
  struct thread_choice threads;
  const char *expected_path;
  const char *records_path;
  const char *sent_path;
  const char *stacks_path;
  const char *summary_path;
  const char *otlp_url; /* null: profiles are not exported */
  double otlp_interval; /* seconds */
};

/* Exits after --help or on a mistake. */
void options_parse(int argc, char **argv, struct options *options);

#endif

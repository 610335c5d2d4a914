/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol.h"
#include "reason.h"
#include "usage.h"

static void refuse(const char *option, const char *value, const char *expected) {
  say("--%s %s: must be %s", option, value, expected);
  exit(EXIT_USAGE);
}

static uint64_t whole_number(const char *option, const char *value, uint64_t least, uint64_t most) {
  char *end;
  errno = 0;
  unsigned long long number = strtoull(value, &end, 10);
  if (errno != 0 || end == value || *end != '\0' || *value == '-' || number < least ||
      number > most) {
    refuse(option, value, "a whole number in the valid range");
  }
  return number;
}

static double amount(const char *option, const char *value, double most) {
  char *end;
  double number = strtod(value, &end);
  if (end == value || *end != '\0' || !isfinite(number) || number < 0 || number > most) {
    refuse(option, value, "a number, zero or greater, in the valid range");
  }
  return number;
}

static enum protocol protocol(const char *option, const char *value) {
  static const char *const names[] = {
      [PROTOCOL_ELASTIC] = "elastic", [PROTOCOL_OTEL] = "otel", [PROTOCOL_BOTH] = "both"};
  for (enum protocol known = PROTOCOL_ELASTIC; known <= PROTOCOL_BOTH; known++) {
    if (strcmp(value, names[known]) == 0) {
      return known;
    }
  }
  refuse(option, value, "elastic, otel or both");
  return PROTOCOL_ELASTIC;
}

static void check(const struct options *options) {
  if ((options->pid != 0) == (options->command != NULL)) {
    say("give either --pid N or -- COMMAND; see --help");
    exit(EXIT_USAGE);
  }
  if (options->show && options->pid == 0) {
    say("--show needs --pid");
    exit(EXIT_USAGE);
  }
  if (options->stacks_path != NULL && !options->stacks) {
    say("--stacks and --no-stacks exclude each other");
    exit(EXIT_USAGE);
  }
  if (options->protocol == PROTOCOL_OTEL &&
      (options->stacks_path != NULL || options->sent_path != NULL)) {
    say("--stacks and --sent need --protocol elastic or both: otel sends nothing");
    exit(EXIT_USAGE);
  }
  if (strlen(options->host_id) > HOST_ID_LIMIT) {
    say("--host-id is longer than %d bytes", HOST_ID_LIMIT);
    exit(EXIT_USAGE);
  }
}

void options_parse(int argc, char **argv, struct options *options) {
  enum {
    PID = 1, ATTACH_TIMEOUT, RETRY_NULL, SHOW, RATE, THREADS, THREAD_NAME, DURATION, SAMPLES,
    EXPECTED, NO_STACKS, RETRY, NO_REGISTRATION, SAMPLES_DELAY, HOST_ID, RECORDS, SENT, STACKS,
    SUMMARY, OTLP, OTLP_INTERVAL, PROTOCOL, HELP
  };
  static const struct option known[] = {
      {"pid", required_argument, NULL, PID},
      {"attach-timeout", required_argument, NULL, ATTACH_TIMEOUT},
      {"retry-null", no_argument, NULL, RETRY_NULL},
      {"show", no_argument, NULL, SHOW},
      {"rate", required_argument, NULL, RATE},
      {"threads", required_argument, NULL, THREADS},
      {"thread-name", required_argument, NULL, THREAD_NAME},
      {"duration", required_argument, NULL, DURATION},
      {"samples", required_argument, NULL, SAMPLES},
      {"expected", required_argument, NULL, EXPECTED},
      {"no-stacks", no_argument, NULL, NO_STACKS},
      {"retry", no_argument, NULL, RETRY},
      {"no-registration", no_argument, NULL, NO_REGISTRATION},
      {"samples-delay", required_argument, NULL, SAMPLES_DELAY},
      {"host-id", required_argument, NULL, HOST_ID},
      {"records", required_argument, NULL, RECORDS},
      {"sent", required_argument, NULL, SENT},
      {"stacks", required_argument, NULL, STACKS},
      {"summary", required_argument, NULL, SUMMARY},
      {"otlp", required_argument, NULL, OTLP},
      {"otlp-interval", required_argument, NULL, OTLP_INTERVAL},
      {"protocol", required_argument, NULL, PROTOCOL},
      {"help", no_argument, NULL, HELP},
      {0},
  };
  *options = (struct options){.protocol = PROTOCOL_ELASTIC, .stacks = true, .registration = true,
                              .samples_delay_ms = 500, .host_id = "", .rate = 20,
                              .attach_timeout = -1, .otlp_interval = 5};
  const char *which = NULL;
  int option, index = 0;
  while ((option = getopt_long(argc, argv, "+", known, &index)) != -1) {
    const char *name = known[index].name;
    switch (option) {
      case PID: options->pid = (pid_t)whole_number(name, optarg, 1, INT32_MAX); break;
      case ATTACH_TIMEOUT: options->attach_timeout = amount(name, optarg, 1e6); break;
      case RETRY_NULL: options->retry_null = true; break;
      case SHOW: options->show = true; break;
      case RATE: options->rate = amount(name, optarg, 1e6); break;
      case THREADS:
        which = optarg;
        if (strcmp(which, "on-cpu") != 0 && strcmp(which, "all") != 0) {
          refuse(name, which, "on-cpu or all");
        }
        break;
      case THREAD_NAME: options->threads.name_prefix = optarg; break;
      case DURATION: options->duration = amount(name, optarg, 1e9); break;
      case SAMPLES: options->samples_limit = whole_number(name, optarg, 1, UINT64_MAX); break;
      case EXPECTED: options->expected_path = optarg; break;
      case NO_STACKS: options->stacks = false; break;
      case RETRY: options->retry_send = true; break;
      case NO_REGISTRATION: options->registration = false; break;
      case SAMPLES_DELAY:
        options->samples_delay_ms = (uint32_t)whole_number(name, optarg, 0, UINT32_MAX);
        break;
      case HOST_ID: options->host_id = optarg; break;
      case RECORDS: options->records_path = optarg; break;
      case SENT: options->sent_path = optarg; break;
      case STACKS: options->stacks_path = optarg; break;
      case SUMMARY: options->summary_path = optarg; break;
      case OTLP: options->otlp_url = optarg; break;
      case OTLP_INTERVAL: options->otlp_interval = amount(name, optarg, 3600); break;
      case PROTOCOL: options->protocol = protocol(name, optarg); break;
      case HELP: fputs(usage, stdout); exit(EXIT_SUCCESS);
      default: exit(EXIT_USAGE);
    }
  }
  options->command = optind < argc ? argv + optind : NULL;
  options->threads.on_cpu_only =
      which != NULL ? strcmp(which, "on-cpu") == 0
                    : options->threads.name_prefix == NULL && !options->show;
  if (options->attach_timeout < 0) {
    options->attach_timeout = options->show ? 0 : 60;
  }
  check(options);
}

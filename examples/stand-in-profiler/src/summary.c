/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "summary.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "json.h"

static void text_field(FILE *out, const char *name, const char *value) {
  fprintf(out, "  \"%s\": ", name);
  json_text(out, value);
  fputs(",\n", out);
}

static void number_field(FILE *out, const char *name, uint64_t value) {
  fprintf(out, "  \"%s\": %" PRIu64 ",\n", name, value);
}

static double pause_us_mean(const struct tracer *tracer) {
  return tracer->pauses == 0 ? 0 : (double)tracer->pause_ns_sum / (double)tracer->pauses / 1000;
}

static void write_json(FILE *out, const struct summary *summary) {
  const struct attachment *attachment = summary->attachment;
  const struct counters *counters = summary->counters;
  fprintf(out, "{\n  \"attached\": %s,\n", summary->attached ? "true" : "false");
  number_field(out, "attach_ms", summary->attach_ms);
  text_field(out, "library", attachment->library.path);
  text_field(out, "service_name", attachment->storage.service_name);
  text_field(out, "service_environment", attachment->storage.service_environment);
  text_field(out, "socket_path", attachment->storage.socket_file_path);
  fprintf(out, "  \"registered\": %s,\n", summary->registered ? "true" : "false");
  number_field(out, "null_at_attach", counters->null_at_attach);
  number_field(out, "ticks", counters->ticks);
  number_field(out, "not_stopped", counters->not_stopped);
  number_field(out, "samples", counters->samples);
  number_field(out, "unreadable", counters->unreadable);
  number_field(out, "no_pointer", counters->no_pointer);
  number_field(out, "invalid", counters->invalid);
  number_field(out, "no_trace", counters->no_trace);
  number_field(out, "traced", counters->traced);
  number_field(out, "expected", counters->expected);
  number_field(out, "expected_shown", counters->expected_shown);
  number_field(out, "expected_missing", counters->expected_missing);
  number_field(out, "expected_other", counters->expected_other);
  number_field(out, "no_transaction", counters->no_transaction);
  number_field(out, "no_stack", counters->no_stack);
  number_field(out, "moved_on", counters->moved_on);
  number_field(out, "sent", counters->sent);
  number_field(out, "lost_queue_full", counters->lost_queue_full);
  number_field(out, "send_errors", counters->send_errors);
  fprintf(out, "  \"seconds\": %.3f,\n", summary->seconds);
  fprintf(out, "  \"pause_us_mean\": %.1f,\n", pause_us_mean(summary->tracer));
  fprintf(out, "  \"pause_us_max\": %.1f\n}\n", (double)summary->tracer->pause_ns_max / 1000);
}

static void say_counters(const struct summary *summary) {
  const struct counters *counters = summary->counters;
  say("%" PRIu64 " samples in %.1f s: %" PRIu64 " traced, %" PRIu64 " without trace, %" PRIu64
      " being written, %" PRIu64 " without pointer; %" PRIu64 " messages sent, %" PRIu64
      " lost to a full queue, %" PRIu64 " send errors, %" PRIu64
      " moved on; threads paused for %.1f us on average",
      counters->samples, summary->seconds, counters->traced, counters->no_trace, counters->invalid,
      counters->no_pointer, counters->sent, counters->lost_queue_full, counters->send_errors,
      counters->moved_on, pause_us_mean(summary->tracer));
}

bool summary_write(const struct summary *summary, const char *path, struct reason *reason) {
  if (summary->attached) {
    say_counters(summary);
  } else {
    say("not attached, nothing sampled");
  }
  if (path == NULL) {
    return true;
  }
  FILE *out = fopen(path, "we");
  if (out == NULL) {
    return because(reason, "cannot write %s: %s", path, strerror(errno));
  }
  write_json(out, summary);
  return fclose(out) == 0 || because(reason, "cannot write %s: %s", path, strerror(errno));
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "summary.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "summary_fields.h"

static double pause_us_mean(const struct tracer *tracer) {
  return tracer->pauses == 0 ? 0 : (double)tracer->pause_ns_sum / (double)tracer->pauses / 1000;
}

static void write_json(FILE *out, const struct summary *summary) {
  const struct attachment *attachment = summary->attachment;
  const struct counters *counters = summary->counters;
  fprintf(out, "{\n  \"attached\": %s,\n", summary->attached ? "true" : "false");
  summary_number(out, "attach_ms", summary->attach_ms);
  summary_text(out, "library", attachment->library.path);
  summary_text(out, "service_name", attachment->storage.service_name);
  summary_text(out, "service_environment", attachment->storage.service_environment);
  summary_text(out, "socket_path", attachment->storage.socket_file_path);
  fprintf(out, "  \"registered\": %s,\n", summary->registered ? "true" : "false");
  summary_number(out, "null_at_attach", counters->null_at_attach);
  summary_number(out, "ticks", counters->ticks);
  summary_number(out, "not_stopped", counters->not_stopped);
  summary_number(out, "samples", counters->samples);
  summary_number(out, "unreadable", counters->unreadable);
  summary_number(out, "no_pointer", counters->no_pointer);
  summary_number(out, "invalid", counters->invalid);
  summary_number(out, "no_trace", counters->no_trace);
  summary_number(out, "traced", counters->traced);
  summary_number(out, "expected", counters->expected.all);
  summary_number(out, "expected_shown", counters->expected.shown);
  summary_number(out, "expected_none", counters->expected.none);
  summary_number(out, "expected_missing", counters->expected.missing);
  summary_number(out, "expected_other", counters->expected.other);
  summary_number(out, "no_transaction", counters->no_transaction);
  summary_number(out, "no_stack", counters->no_stack);
  summary_number(out, "moved_on", counters->moved_on);
  summary_number(out, "sent", counters->sent);
  summary_number(out, "lost_queue_full", counters->lost_queue_full);
  summary_number(out, "send_errors", counters->send_errors);
  if (summary->contexts != NULL) {
    summary_contexts(out, summary);
  }
  fputs(summary->exporter->summary, out);
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
    if (summary->contexts != NULL) {
      say_context_counters(summary);
    }
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

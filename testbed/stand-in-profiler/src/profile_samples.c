/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "profile_samples.h"

#include <inttypes.h>
#include <limits.h>
#include <unistd.h>

#include "json.h"

void profile_source(struct profile_samples *samples, const struct options *options, pid_t pid,
                    const char *service_name) {
  char link[64], executable[PATH_MAX];
  snprintf(link, sizeof link, "/proc/%d/exe", pid);
  ssize_t length = readlink(link, executable, sizeof executable);
  FILE *line = exporter_begin_line(&samples->exporter);
  if (line == NULL) {
    return;
  }
  fputs("{\"source\":{\"service\":", line);
  json_text(line, service_name);
  fputs(",\"host\":", line);
  json_text(line, options->host_id);
  fputs(",\"executable\":", line);
  json_string(line, executable, length < 0 ? 0 : (size_t)length);
  fprintf(line, ",\"pid\":%d,\"period\":%" PRIu64 ",\"onCpu\":%s}}", pid,
          options->rate == 0 ? 0 : (uint64_t)(1e9 / options->rate),
          options->threads.on_cpu_only ? "true" : "false");
  exporter_end_line(&samples->exporter);
}

void profile_sample(struct profile_samples *samples, const struct sampled_thread *sampled,
                    const struct java_stack *stack) {
  struct linked_span span;
  FILE *line = exporter_begin_line(&samples->exporter);
  if (line == NULL) {
    return;
  }
  fprintf(line, "{\"sample\":{\"time\":%" PRIu64 ",\"tid\":%d,\"thread\":", sampled->unix_ns,
          sampled->thread.tid);
  json_text(line, sampled->thread.name);
  if (find_linked_span(&sampled->sample, &span)) {
    fputs(",\"trace\":\"", line);
    hex(line, span.trace_id, sizeof sampled->sample.record.trace_id);
    fputs("\",\"span\":\"", line);
    hex(line, span.span_id, sizeof sampled->sample.record.span_id);
    putc('"', line);
  }
  if (stack == NULL) {
    fprintf(line, ",\"address\":%" PRId64, (int64_t)sampled->sample.program_counter);
  } else {
    for (size_t i = 0; i < stack->count; i++) {
      fputs(i == 0 ? ",\"frames\":[" : ",", line);
      json_string(line, stack->frames[i].name, stack->frames[i].length);
    }
    putc(']', line);
  }
  fputs("}}", line);
  exporter_end_line(&samples->exporter);
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "profile_samples.h"

#include <stdio.h>
#include <unistd.h>

bool profile_samples_open(struct profile_samples *samples, const struct options *options, pid_t pid,
                          const char *service_name, struct reason *reason) {
  char link[64];
  snprintf(link, sizeof link, "/proc/%d/exe", pid);
  ssize_t length = readlink(link, samples->executable, sizeof samples->executable - 1);
  samples->executable[length < 0 ? 0 : length] = '\0';
  samples->code.pid = pid;
  struct profile_source source = {
      .service_name = service_name,
      .host_id = options->host_id,
      .executable = samples->executable,
      .pid = pid,
      .period_ns = options->rate == 0 ? 0 : (uint64_t)(1e9 / options->rate),
      .on_cpu_only = options->threads.on_cpu_only};
  return exporter_open(&samples->exporter, &options->otlp_url, options->otlp_interval, &source,
                       reason);
}

void profile_samples_close(struct profile_samples *samples, struct tracer *tracer) {
  exporter_close(&samples->exporter, tracer);
  code_mappings_free(&samples->code);
}

static void add(struct profile_samples *samples, const struct sampled_thread *sampled,
                uint32_t stack) {
  struct profile_dictionary *dictionary = &exporter_batch(&samples->exporter)->dictionary;
  struct linked_span span;
  struct profile_sample sample = {
      .stack = stack,
      .link = find_linked_span(&sampled->sample, &span)
                  ? dictionary_link(dictionary, span.trace_id, span.span_id)
                  : 0,
      .tid = sampled->thread.tid,
      .thread_name = sampled->thread.name,
      .unix_ns = sampled->unix_ns};
  exporter_add(&samples->exporter, &sample);
}

void profile_java_stack(struct profile_samples *samples, const struct sampled_thread *sampled,
                        const struct java_stack *stack) {
  if (samples == NULL) {
    return;
  }
  struct profile_dictionary *dictionary = &exporter_batch(&samples->exporter)->dictionary;
  uint32_t locations[JAVA_FRAMES_LIMIT];
  for (size_t i = 0; i < stack->count; i++) {
    locations[i] =
        dictionary_java_location(dictionary, stack->frames[i].name, stack->frames[i].length);
  }
  add(samples, sampled, dictionary_stack(dictionary, locations, stack->count));
}

void profile_instruction(struct profile_samples *samples, const struct sampled_thread *sampled) {
  if (samples == NULL) {
    return;
  }
  struct profile_dictionary *dictionary = &exporter_batch(&samples->exporter)->dictionary;
  uint64_t address = sampled->sample.program_counter;
  const struct code_mapping *found = code_mappings_find(&samples->code, address);
  struct code_range range;
  /* Code compiled by the JVM is in anonymous memory, so no file can be named. */
  bool has_file = found != NULL && found->mapping.path[0] != '\0';
  if (has_file) {
    range = (struct code_range){.start = found->mapping.start,
                                .end = found->mapping.end,
                                .file_offset = found->mapping.file_offset,
                                .path = found->mapping.path,
                                .build_id = found->build_id};
  }
  uint32_t location = dictionary_native_location(dictionary, has_file ? &range : NULL, address);
  add(samples, sampled, dictionary_stack(dictionary, &location, 1));
}

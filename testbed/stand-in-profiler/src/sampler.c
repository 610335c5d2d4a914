/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "sampler.h"

#include <stdlib.h>

#include "reports.h"
#include "waiting.h"

static void count_elastic(struct counters *counters, pid_t tid,
                          const struct thread_sample *sample) {
  switch (sample->state) {
    case RECORD_NO_POINTER: counters->no_pointer++; break;
    case RECORD_INVALID: counters->invalid++; break;
    case RECORD_NO_TRACE: counters->no_trace++; break;
    case RECORD_TRACED: counters->traced++; break;
    default: counters->unreadable++; break;
  }
  expected_spans_compare(tid, "Elastic", sample->expected_span, sample->state,
                         sample->record.span_id, &counters->expected);
}

static void count_otel(const struct sampler *sampler, pid_t tid,
                       const struct thread_sample *sample) {
  struct context_counters *counters = sampler->context_counters;
  const struct context_sample *context = &sample->context;
  context_counters_add(counters, context, sampler->contexts->keys.key_count);
  if (context->state != RECORD_NOT_READ) {
    expected_spans_compare(tid, "OpenTelemetry", sample->expected_span, context->state,
                           context->record.span_id, &counters->expected);
  }
  if (sampler->options->protocol == PROTOCOL_BOTH) {
    context_counters_compare(counters, tid, sample);
  }
}

/* Returns whether --samples counts the sample. */
static bool is_traced(const struct sampler *sampler, const struct thread_sample *sample) {
  switch (sampler->options->protocol) {
    case PROTOCOL_OTEL: return sample->context.state == RECORD_TRACED;
    case PROTOCOL_BOTH:
      return sample->state == RECORD_TRACED && sample->context.state != RECORD_NOT_READ;
    default: return sample->state == RECORD_TRACED;
  }
}

static void count(struct sampler *sampler, pid_t tid, const struct thread_sample *sample) {
  sampler->counters->samples++;
  sampler->traced += is_traced(sampler, sample);
  if (sampler->options->protocol & PROTOCOL_ELASTIC) {
    count_elastic(sampler->counters, tid, sample);
  }
  if (sampler->options->protocol & PROTOCOL_OTEL) {
    count_otel(sampler, tid, sample);
  }
}

static void remember(struct sampler *sampler, const struct sampled_thread *sampled) {
  if (sampler->sampled_count == sampler->sampled_capacity) {
    size_t capacity = sampler->sampled_capacity == 0 ? 64 : 2 * sampler->sampled_capacity;
    struct sampled_thread *larger = realloc(sampler->sampled, capacity * sizeof *larger);
    if (larger == NULL) {
      return;
    }
    sampler->sampled = larger;
    sampler->sampled_capacity = capacity;
  }
  sampler->sampled[sampler->sampled_count++] = *sampled;
}

bool sampler_has_enough(const struct sampler *sampler) {
  uint64_t limit = sampler->options->samples_limit;
  return limit != 0 && sampler->traced >= limit;
}

static void sample_all(struct sampler *sampler) {
  sampler->sampled_count = 0;
  expected_spans_refresh(&sampler->expected);
  for (size_t i = 0; i < sampler->threads.count && !sampler_has_enough(sampler); i++) {
    struct sampled_thread sampled = {.thread = sampler->threads.items[i],
                                     .unix_ns = unix_now_ns()};
    struct thread_sample *sample = &sampled.sample;
    pid_t tid = sampled.thread.tid;
    /* Looked up before the thread is stopped, because this may read /proc. */
    const volatile uint64_t *expected = expected_spans_slot(&sampler->expected, tid);
    if (!thread_reader_sample(&sampler->reader, tid, expected, sample)) {
      sampler->counters->not_stopped++;
      continue;
    }
    count(sampler, tid, sample);
    output_sample(sampler->output, sampler->options->protocol, tid, sample);
    if (sample->state == RECORD_TRACED && !shows_transaction(sample)) {
      sampler->counters->no_transaction++;
    }
    if (shows_transaction(sample) || sampler->profiles != NULL) {
      remember(sampler, &sampled);
    }
  }
  expected_spans_report(&sampler->expected, sampler->options->protocol & PROTOCOL_ELASTIC
                                                ? sampler->counters->expected.shown
                                                : sampler->context_counters->expected.shown);
}

bool sampler_tick(struct sampler *sampler, struct reason *reason) {
  tracer_release_late(sampler->reader.tracer);
  messages_retry(sampler->messages);
  sampler->counters->ticks++;
  if (sampler->contexts != NULL) {
    context_attachment_refresh(sampler->reader.pid, sampler->contexts);
    sampler->reader.contexts = sampler->contexts->attached ? &sampler->contexts->variable : NULL;
  }
  if (!threads_list(sampler->reader.pid, &sampler->options->threads, &sampler->threads)) {
    return true; /* the process has ended, which the caller also notices */
  }
  sample_all(sampler);
  return reports_send(sampler, reason);
}

void sampler_close(struct sampler *sampler) {
  expected_spans_close(&sampler->expected);
  free(sampler->threads.items);
  free(sampler->sampled);
  free(sampler->dump.text);
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "sampler.h"

#include <stdlib.h>
#include <string.h>

#include "java_stacks.h"
#include "proc_files.h"

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

static void count(struct sampler *sampler, pid_t tid, const struct thread_sample *sample) {
  sampler->counters->samples++;
  if (sampler->options->protocol & PROTOCOL_ELASTIC) {
    count_elastic(sampler->counters, tid, sample);
  }
  if (sampler->options->protocol & PROTOCOL_OTEL) {
    count_otel(sampler, tid, sample);
  }
}

static bool has_transaction(const struct thread_record *record) {
  static const uint8_t none[sizeof record->transaction_id];
  return memcmp(record->transaction_id, none, sizeof none) != 0;
}

static void remember(struct sampler *sampler, pid_t tid, const struct thread_sample *sample) {
  if (sampler->traced_count == sampler->traced_capacity) {
    size_t capacity = sampler->traced_capacity == 0 ? 64 : 2 * sampler->traced_capacity;
    struct traced_thread *traced = realloc(sampler->traced, capacity * sizeof *traced);
    if (traced == NULL) {
      return;
    }
    sampler->traced = traced;
    sampler->traced_capacity = capacity;
  }
  sampler->traced[sampler->traced_count++] = (struct traced_thread){.tid = tid, .sample = *sample};
}

bool sampler_has_enough(const struct sampler *sampler) {
  uint64_t traced = sampler->options->protocol == PROTOCOL_OTEL
                        ? sampler->context_counters->states[RECORD_TRACED]
                        : sampler->counters->traced;
  return sampler->options->samples_limit != 0 && traced >= sampler->options->samples_limit;
}

static void sample_all(struct sampler *sampler) {
  sampler->traced_count = 0;
  expected_spans_refresh(&sampler->expected);
  for (size_t i = 0; i < sampler->threads.count && !sampler_has_enough(sampler); i++) {
    pid_t tid = sampler->threads.items[i].tid;
    struct thread_sample sample;
    /* Found before the thread is stopped, as this may have to read /proc. */
    const volatile uint64_t *expected = expected_spans_slot(&sampler->expected, tid);
    if (!thread_reader_sample(&sampler->reader, tid, expected, &sample)) {
      sampler->counters->not_stopped++;
      continue;
    }
    count(sampler, tid, &sample);
    output_sample(sampler->output, sampler->options->protocol, tid, &sample);
    if (sample.state != RECORD_TRACED) {
      continue;
    }
    if (has_transaction(&sample.record)) {
      remember(sampler, tid, &sample);
    } else {
      sampler->counters->no_transaction++;
    }
  }
}

/* Without stacks, equal program counters make equal ids: enough to distinguish the messages. */
static void report_program_counters(struct sampler *sampler) {
  for (size_t i = 0; i < sampler->traced_count; i++) {
    const struct thread_sample *sample = &sampler->traced[i].sample;
    struct stack_hash hash;
    stack_hash_begin(&hash);
    stack_hash_add(&hash, &sample->program_counter, sizeof sample->program_counter);
    struct stack_id id = stack_hash_end(&hash);
    messages_correlate(sampler->messages, &sample->record, &id);
  }
}

/*
 * The thread ran on between the sample and the dump. If the record is the same before and after,
 * then the stack belongs to that span (or the thread left the span and came back to it, which
 * cannot be distinguished from here).
 */
static bool still_in_span(struct sampler *sampler, const struct traced_thread *traced) {
  struct thread_sample now;
  return thread_reader_sample(&sampler->reader, traced->tid, NULL, &now) &&
         now.state == RECORD_TRACED &&
         memcmp(&now.record, &traced->sample.record, sizeof now.record) == 0;
}

static void report_stack(struct sampler *sampler, const struct traced_thread *traced) {
  struct java_stack stack;
  pid_t jvm_tid = inner_pid(sampler->reader.pid, traced->tid);
  if (!still_in_span(sampler, traced)) {
    sampler->counters->moved_on++;
  } else if (!java_stack_find(&sampler->dump, jvm_tid, &stack)) {
    sampler->counters->no_stack++;
  } else {
    struct stack_id id = java_stack_id(&stack);
    output_stack(sampler->output, &id, &stack);
    messages_correlate(sampler->messages, &traced->sample.record, &id);
  }
}

static bool report_stacks(struct sampler *sampler, struct reason *reason) {
  enum dump_result result =
      jvm_thread_dump(sampler->reader.pid, sampler->reader.tracer, &sampler->dump, reason);
  if (result == DUMP_DONE) {
    sampler->dump_worked = true;
    for (size_t i = 0; i < sampler->traced_count; i++) {
      report_stack(sampler, &sampler->traced[i]);
    }
    return true;
  }
  if (result == DUMP_IMPOSSIBLE && !sampler->dump_worked) {
    return false;
  }
  sampler->counters->no_stack += sampler->traced_count;
  if (!sampler->dump_failure_told) {
    say("%s (told once, counted as no_stack)", reason->text);
    sampler->dump_failure_told = true;
  }
  return true;
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
    return true; /* the process has ended, which the caller sees, too */
  }
  sample_all(sampler);
  if (sampler->traced_count == 0) {
    return true;
  }
  if (sampler->options->stacks) {
    return report_stacks(sampler, reason);
  }
  report_program_counters(sampler);
  return true;
}

void sampler_close(struct sampler *sampler) {
  expected_spans_close(&sampler->expected);
  free(sampler->threads.items);
  free(sampler->traced);
  free(sampler->dump.text);
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "reports.h"

#include <string.h>

#include "java_stacks.h"
#include "proc_files.h"

static void export(struct sampler *sampler, const struct sampled_thread *sampled,
                   const struct java_stack *stack) {
  if (sampler->profiles != NULL) {
    profile_sample(sampler->profiles, sampled, stack);
  }
}

/* Without stacks, equal program counters yield equal ids, which still distinguishes messages. */
static void report_program_counters(struct sampler *sampler) {
  for (size_t i = 0; i < sampler->sampled_count; i++) {
    const struct thread_sample *sample = &sampler->sampled[i].sample;
    if (shows_transaction(sample)) {
      struct stack_hash hash;
      stack_hash_begin(&hash);
      stack_hash_add(&hash, &sample->program_counter, sizeof sample->program_counter);
      struct stack_id id = stack_hash_end(&hash);
      messages_correlate(sampler->messages, &sample->record, &id);
    }
    export(sampler, &sampler->sampled[i], NULL);
  }
}

static bool is_in_span(const struct thread_sample *sample) {
  struct linked_span span;
  return find_linked_span(sample, &span);
}

/*
 * The thread continued between the sample and the dump. If its record is the same before and after,
 * the stack belongs to that span (or the thread left the span and came back to it, which cannot be
 * detected here).
 */
static bool still_in_span(struct sampler *sampler, const struct sampled_thread *sampled) {
  const struct thread_sample *then = &sampled->sample;
  struct thread_sample now;
  if (!thread_reader_sample(&sampler->reader, sampled->thread.tid, NULL, &now)) {
    return false;
  }
  if (then->state == RECORD_NOT_READ) {
    return now.context.state == RECORD_TRACED &&
           memcmp(&now.context.record, &then->context.record, sizeof now.context.record) == 0;
  }
  return now.state == RECORD_TRACED &&
         memcmp(&now.record, &then->record, sizeof now.record) == 0;
}

/* Does the same for a thread that showed no transaction. */
static bool still_without(struct sampler *sampler, const struct sampled_thread *sampled) {
  struct thread_sample now;
  return thread_reader_sample(&sampler->reader, sampled->thread.tid, NULL, &now) &&
         !is_in_span(&now);
}

static void report_in_span(struct sampler *sampler, const struct sampled_thread *sampled) {
  struct java_stack stack;
  pid_t jvm_tid = inner_pid(sampler->reader.pid, sampled->thread.tid);
  if (!still_in_span(sampler, sampled)) {
    sampler->counters->moved_on++;
  } else if (!java_stack_find(&sampler->dump, jvm_tid, &stack)) {
    sampler->counters->no_stack++;
  } else {
    struct stack_id id = java_stack_id(&stack);
    output_stack(sampler->output, &id, &stack);
    if (shows_transaction(&sampled->sample)) {
      messages_correlate(sampler->messages, &sampled->sample.record, &id);
    }
    export(sampler, sampled, &stack);
  }
}

/* Only exports have samples without a span. Most of them are of threads that run no Java code. */
static void report_without_span(struct sampler *sampler, const struct sampled_thread *sampled) {
  struct java_stack stack;
  pid_t jvm_tid = inner_pid(sampler->reader.pid, sampled->thread.tid);
  if (!java_stack_find(&sampler->dump, jvm_tid, &stack)) {
    export(sampler, sampled, NULL);
  } else if (still_without(sampler, sampled)) {
    export(sampler, sampled, &stack);
  } else {
    sampler->profiles->moved_on++;
  }
}

static void report_dumped(struct sampler *sampler) {
  for (size_t i = 0; i < sampler->sampled_count; i++) {
    const struct sampled_thread *sampled = &sampler->sampled[i];
    if (is_in_span(&sampled->sample)) {
      report_in_span(sampler, sampled);
    } else {
      report_without_span(sampler, sampled);
    }
  }
}

static void report_without_dump(struct sampler *sampler) {
  for (size_t i = 0; i < sampler->sampled_count; i++) {
    const struct sampled_thread *sampled = &sampler->sampled[i];
    if (is_in_span(&sampled->sample)) {
      sampler->counters->no_stack++;
    } else {
      export(sampler, sampled, NULL);
    }
  }
}

static bool report_stacks(struct sampler *sampler, struct reason *reason) {
  enum dump_result result =
      jvm_thread_dump(sampler->reader.pid, sampler->reader.tracer, &sampler->dump, reason);
  if (result == DUMP_DONE) {
    sampler->dump_worked = true;
    report_dumped(sampler);
    return true;
  }
  if (result == DUMP_IMPOSSIBLE && !sampler->dump_worked) {
    return false;
  }
  report_without_dump(sampler);
  if (!sampler->dump_failure_told) {
    say("%s (reported once, counted as no_stack)", reason->text);
    sampler->dump_failure_told = true;
  }
  return true;
}

bool reports_send(struct sampler *sampler, struct reason *reason) {
  if (sampler->sampled_count == 0) {
    return true;
  }
  if (sampler->options->stacks) {
    return report_stacks(sampler, reason);
  }
  report_program_counters(sampler);
  return true;
}

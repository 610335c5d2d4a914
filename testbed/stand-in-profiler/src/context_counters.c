/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "context_counters.h"

#include "context_attributes.h"
#include "json.h"
#include "reason.h"

#define TOLD_LIMIT 10

void context_counters_add(struct context_counters *counters, const struct context_sample *sample,
                          size_t key_count) {
  counters->states[sample->state]++;
  if (sample->state != RECORD_TRACED && sample->state != RECORD_NO_TRACE) {
    return;
  }
  counters->unsampled += sample->state == RECORD_TRACED &&
                         (sample->record.trace_flags & TRACE_FLAG_SAMPLED) == 0;
  struct context_attributes attributes;
  context_attributes_decode(sample, key_count, &attributes);
  counters->unknown_keys += attributes.unknown_keys;
  counters->not_utf8 += attributes.not_utf8;
  counters->cut_by_writer += attributes.cut_by_writer;
  counters->cut_by_limit += attributes.cut_by_limit;
}

static void tell(int tid, const struct thread_sample *sample) {
  char records[256] = "";
  FILE *out = fmemopen(records, sizeof records, "w");
  fputs("Elastic ", out);
  hex(out, &sample->record, sizeof sample->record);
  fputs(", OpenTelemetry ", out);
  hex(out, &sample->context.record, sizeof sample->context.record);
  fclose(out);
  say("the records of thread %d disagree: %s", tid, records);
}

void context_counters_compare(struct context_counters *counters, int tid,
                              const struct thread_sample *sample) {
  enum agreement agreement = agreement_of(sample);
  counters->agreements[agreement]++;
  switch (agreement) {
    case AGREEMENT_DIFFERENT:
      if (counters->agreements[agreement] <= TOLD_LIMIT) {
        tell(tid, sample);
      }
      break;
    case AGREEMENT_ONLY_ELASTIC:
      counters->only_elastic_invalid += sample->context.state == RECORD_INVALID;
      break;
    case AGREEMENT_ONLY_OTEL_SAMPLED:
    case AGREEMENT_ONLY_OTEL_UNSAMPLED:
      counters->only_otel_invalid += sample->state == RECORD_INVALID;
      break;
    default: break;
  }
}

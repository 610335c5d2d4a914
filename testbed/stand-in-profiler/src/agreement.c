/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "agreement.h"

#include <stdbool.h>
#include <string.h>

static bool is_readable(enum record_state state) {
  return state != RECORD_UNREADABLE && state != RECORD_MALFORMED && state != RECORD_NOT_READ;
}

enum agreement agreement_of(const struct thread_sample *sample) {
  const struct thread_record *elastic = &sample->record;
  const struct thread_context *otel = &sample->context.record;
  bool in_elastic = sample->state == RECORD_TRACED;
  bool in_otel = sample->context.state == RECORD_TRACED;
  if (!is_readable(sample->state) || !is_readable(sample->context.state)) {
    return AGREEMENT_UNKNOWN;
  }
  if (in_elastic && in_otel) {
    bool same = memcmp(elastic->trace_id, otel->trace_id, sizeof otel->trace_id) == 0 &&
                memcmp(elastic->span_id, otel->span_id, sizeof otel->span_id) == 0;
    return same ? AGREEMENT_SAME : AGREEMENT_DIFFERENT;
  }
  if (in_otel) {
    return (otel->trace_flags & TRACE_FLAG_SAMPLED) != 0 ? AGREEMENT_ONLY_OTEL_SAMPLED
                                                         : AGREEMENT_ONLY_OTEL_UNSAMPLED;
  }
  return in_elastic ? AGREEMENT_ONLY_ELASTIC : AGREEMENT_NO_TRACE;
}

const char *agreement_name(enum agreement agreement) {
  switch (agreement) {
    case AGREEMENT_NO_TRACE: return "both_none";
    case AGREEMENT_SAME: return "agree";
    case AGREEMENT_DIFFERENT: return "disagree";
    case AGREEMENT_ONLY_ELASTIC: return "only_elastic";
    case AGREEMENT_ONLY_OTEL_SAMPLED: return "only_otel_sampled";
    case AGREEMENT_ONLY_OTEL_UNSAMPLED: return "only_otel_unsampled";
    default: return "not_compared";
  }
}

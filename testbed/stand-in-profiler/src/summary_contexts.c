/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "summary_fields.h"

static void write_attachment(FILE *out, const struct context_attachment *contexts) {
  fprintf(out, "  \"otel_attached\": %s,\n", contexts->ever_attached ? "true" : "false");
  summary_text(out, "otel_reason", contexts->attached ? "" : contexts->reason.text);
  summary_text(out, "otel_library", contexts->library.path);
  summary_text(out, "otel_tls", !contexts->ever_attached      ? ""
                                : contexts->variable.dynamic ? "dynamic"
                                                             : "static");
  summary_text(out, "otel_schema_version", contexts->keys.schema_version);
  summary_number(out, "otel_keys", contexts->keys.key_count);
  summary_text(out, "otel_service_name", contexts->keys.service_name);
}

static void write_records(FILE *out, const struct context_counters *counters) {
  static const struct {
    const char *name;
    enum record_state state;
  } states[] = {{"otel_not_read", RECORD_NOT_READ},     {"otel_unreadable", RECORD_UNREADABLE},
                {"otel_no_pointer", RECORD_NO_POINTER}, {"otel_invalid", RECORD_INVALID},
                {"otel_malformed", RECORD_MALFORMED},   {"otel_no_trace", RECORD_NO_TRACE},
                {"otel_traced", RECORD_TRACED}};
  for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
    summary_number(out, states[i].name, counters->states[states[i].state]);
  }
  summary_number(out, "otel_unsampled", counters->unsampled);
  summary_number(out, "otel_attributes_unknown_key", counters->unknown_keys);
  summary_number(out, "otel_attributes_not_utf8", counters->not_utf8);
  summary_number(out, "otel_attributes_cut_by_writer", counters->cut_by_writer);
  summary_number(out, "otel_attributes_cut_by_limit", counters->cut_by_limit);
  summary_number(out, "otel_expected", counters->expected.all);
  summary_number(out, "otel_expected_shown", counters->expected.shown);
  summary_number(out, "otel_expected_none", counters->expected.none);
  summary_number(out, "otel_expected_missing", counters->expected.missing);
  summary_number(out, "otel_expected_other", counters->expected.other);
}

static void write_agreements(FILE *out, const struct context_counters *counters) {
  for (enum agreement agreement = 0; agreement < AGREEMENTS; agreement++) {
    summary_number(out, agreement_name(agreement), counters->agreements[agreement]);
  }
  summary_number(out, "only_elastic_otel_invalid", counters->only_elastic_invalid);
  summary_number(out, "only_otel_elastic_invalid", counters->only_otel_invalid);
}

void summary_contexts(FILE *out, const struct summary *summary) {
  write_attachment(out, summary->contexts);
  write_records(out, summary->context_counters);
  if (summary->compared) {
    write_agreements(out, summary->context_counters);
  }
}

void say_context_counters(const struct summary *summary) {
  const struct context_counters *counters = summary->context_counters;
  const uint64_t *states = counters->states, *agreements = counters->agreements;
  say("thread contexts: %" PRIu64 " traced, %" PRIu64 " without trace, %" PRIu64
      " invalid, %" PRIu64 " malformed, %" PRIu64 " without pointer, %" PRIu64 " not read",
      states[RECORD_TRACED], states[RECORD_NO_TRACE], states[RECORD_INVALID],
      states[RECORD_MALFORMED], states[RECORD_NO_POINTER], states[RECORD_NOT_READ]);
  if (summary->compared) {
    say("both records: %" PRIu64 " agree, %" PRIu64 " show no trace, %" PRIu64
        " disagree, %" PRIu64 " only in Elastic's, %" PRIu64 " only in OpenTelemetry's (%" PRIu64
        " of them sampled)",
        agreements[AGREEMENT_SAME], agreements[AGREEMENT_NO_TRACE],
        agreements[AGREEMENT_DIFFERENT], agreements[AGREEMENT_ONLY_ELASTIC],
        agreements[AGREEMENT_ONLY_OTEL_SAMPLED] + agreements[AGREEMENT_ONLY_OTEL_UNSAMPLED],
        agreements[AGREEMENT_ONLY_OTEL_SAMPLED]);
  }
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "summary_fields.h"

void summary_profiles(FILE *out, const struct profile_samples *profiles) {
  const struct export_counters *counters = &profiles->exporter.counters;
  summary_number(out, "otlp_samples", counters->samples);
  summary_number(out, "otlp_linked", counters->linked);
  summary_number(out, "otlp_dropped", counters->dropped);
  summary_number(out, "otlp_moved_on", profiles->moved_on);
  summary_number(out, "otlp_delivered", counters->delivered);
  summary_number(out, "otlp_lost", counters->lost);
  summary_number(out, "otlp_exports", counters->batches);
  summary_number(out, "otlp_failures", counters->failures);
  summary_number(out, "otlp_rejected_profiles", counters->rejected_profiles);
}

void say_export_counters(const struct profile_samples *profiles) {
  const struct export_counters *counters = &profiles->exporter.counters;
  say("OTLP profiles: %" PRIu64 " samples, %" PRIu64 " with a Link; %" PRIu64
      " delivered in %" PRIu64 " exports, %" PRIu64 " lost, %" PRIu64
      " dropped; %" PRIu64 " failed attempts",
      counters->samples, counters->linked, counters->delivered, counters->batches, counters->lost,
      counters->dropped, counters->failures);
}

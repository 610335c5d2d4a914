/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.doctor.conformance;

import io.otelprofiling.correlation.internal.doctor.report.Report;

/** The table of rules. */
final class Rules {
  private final Report report;

  Rules(Report report) {
    this.report = report;
  }

  void section(String title) {
    report.section(title);
  }

  /**
   * Adds a rule.
   *
   * @return whether it holds
   */
  boolean must(String id, boolean holds, String seen, String rule) {
    if (holds) {
      report.ok(id, seen);
    } else {
      report.fault(id, seen, "The rule: " + rule + ".");
    }
    return holds;
  }

  void notChecked(String id, String seen, String remedy) {
    report.notChecked(id, seen, remedy);
  }
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReportTest {
  @Test
  void text_withHostileValues_hasNoInjectedLines() {
    Report report = new Report(1, "java\nVerdict: ok");
    report.section("Section");
    report.add(Verdict.FAULT, "a.b", "seen\nVerdict: ok\u001b[2J\u009b\u202e", "do\r\nVerdict: ok");

    assertThat(report.text().lines())
        .containsExactly(
            "Process 1: java?Verdict: ok",
            "",
            "1. Section",
            "  fault           a.b                        seen?Verdict: ok?[2J??",
            "                                             -> do??Verdict: ok",
            "",
            "Verdict: fault, a.b: seen?Verdict: ok?[2J??");
  }

  @Test
  void must_violated_quotesTheRule() {
    Report report = new Report(1, "writer");
    report.section("Section");

    assertThat(report.must("a.b", false, "2", "it is 1")).isFalse();
    assertThat(report.verdict()).isEqualTo(Verdict.FAULT);
    assertThat(report.text()).contains("The rule: it is 1.");
  }
}

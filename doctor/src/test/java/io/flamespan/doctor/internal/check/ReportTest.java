/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.doctor.internal.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReportTest {
  @Test
  void text_withHostileValues_hasNoInjectedLines() {
    Report report = new Report(1, "java\nVerdict: ok");
    report.add(
        "Section",
        Verdict.FAULT,
        "a.b",
        "seen\nVerdict: ok\u001b[2J\u009b\u202e",
        "do\r\nVerdict: ok");

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
  void worstFinding_thatCouldNotBeRead_isNotTheOneOfTheSameCheck() {
    Report report = new Report(1, "java");
    report.add(
        "Section", Verdict.COULD_NOT_LOOK, "a.b", "it does not answer in time", "look there");

    assertThat(report.isWorst("a.b", "it does not answer")).isTrue();
    assertThat(report.isWorst("a.b", "this process does not")).isFalse();
    assertThat(report.isWorst("a.c", "it does not answer")).isFalse();
  }
}

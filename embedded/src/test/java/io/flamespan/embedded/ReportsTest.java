/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.internal.embedded.Work;
import org.junit.jupiter.api.Test;

class ReportsTest {
  private static final Work FIRST = new Work(1, 1, 1, 1);
  private static final Work SECOND = new Work(2, 2, 2, 2);
  private static final Work CURRENT = new Work(3, 3, 3, 3);

  private final Reports<Work> reports = new Reports<>();

  @Test
  void sample_betweenReports_belongsToTheNextOne() {
    reports.add(10, FIRST);
    reports.add(20, null);
    reports.add(30, SECOND);

    assertThat(reports.workAt(5, CURRENT)).isSameAs(FIRST);
    assertThat(reports.workAt(10, CURRENT)).isSameAs(FIRST);
    assertThat(reports.workAt(11, CURRENT)).isNull();
    assertThat(reports.workAt(30, CURRENT)).isSameAs(SECOND);
    assertThat(reports.workAt(31, CURRENT)).isSameAs(CURRENT);
  }

  @Test
  void reports_forgotten_areKnownToBe() {
    reports.add(10, FIRST);
    reports.add(20, SECOND);
    reports.forgetUntil(9);
    assertThat(reports.areForgottenAt(5)).isFalse();

    reports.forgetUntil(10);

    assertThat(reports.areForgottenAt(10)).isTrue();
    assertThat(reports.areForgottenAt(11)).isFalse();
    assertThat(reports.workAt(11, CURRENT)).isSameAs(SECOND);
    reports.forgetUntil(25);
    assertThat(reports.areForgottenAt(20)).isTrue();
    assertThat(reports.workAt(21, CURRENT)).isSameAs(CURRENT);
  }

  @Test
  void reports_neverCollected_loseTheFirstOnes() {
    int count = 10 * Reports.LIMIT;
    for (int i = 1; i <= count; i++) {
      reports.add(i, i % 2 == 0 ? FIRST : SECOND);
    }

    assertThat(reports.areForgottenAt(count - Reports.LIMIT)).isTrue();
    assertThat(reports.areForgottenAt(count - Reports.LIMIT / 2 + 1)).isFalse();
    assertThat(reports.workAt(count, CURRENT)).isSameAs(FIRST);
    assertThat(reports.workAt(count - 1, CURRENT)).isSameAs(SECOND);
  }
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.delay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PaceTest {
  private static final int CAPACITY = 8_096;
  private static final int BATCHES = 4_096;

  @Test
  void batches_beforeTheFirst_mayAllWait() {
    assertThat(new Pace(BATCHES, 0).mayWait(CAPACITY)).isEqualTo(CAPACITY);
  }

  @Test
  void singleSpans_beforeTheFirst_mayWaitAsIfEachTookMilliseconds() {
    assertThat(new Pace(256, 5_000_000).mayWait(CAPACITY)).isEqualTo(1_000);
  }

  @Test
  void singleSpans_takenFast_mayAllWait() {
    Pace pace = new Pace(256, 5_000_000);
    pace.took(5_000, TimeUnit.MILLISECONDS.toNanos(50));

    assertThat(pace.mayWait(CAPACITY)).isEqualTo(CAPACITY);
  }

  @Test
  void spans_takenSlowly_mayWaitForFiveSeconds() {
    Pace pace = new Pace(BATCHES, 0);
    for (int i = 0; i < 40; i++) {
      pace.took(500, TimeUnit.SECONDS.toNanos(5)); // 100 a second
    }
    assertThat(pace.mayWait(CAPACITY)).isBetween(500, 505);

    pace.took(40_000, 0);
    assertThat(pace.mayWait(CAPACITY)).isEqualTo(CAPACITY);
  }

  @Test
  void batches_firstExportTakesSeconds_halfTheQueueMayWait() {
    Pace pace = new Pace(BATCHES, 0);
    pace.took(31, TimeUnit.MILLISECONDS.toNanos(4_760));

    assertThat(pace.mayWait(CAPACITY)).isGreaterThan(CAPACITY / 2);
  }

  @Test
  void spans_oneStall_doesNotLimitThem() {
    Pace pace = new Pace(256, 5_000_000);
    pace.took(5_000, 0);
    pace.took(1, TimeUnit.MILLISECONDS.toNanos(100));

    assertThat(pace.mayWait(CAPACITY)).isEqualTo(CAPACITY);
  }

  @Test
  void spans_pauseOfTheJvm_countsForSecondsOnly() {
    Pace pace = new Pace(1_000, 0);
    pace.took(1, TimeUnit.HOURS.toNanos(1));

    assertThat(pace.mayWait(CAPACITY)).isBetween(1_000, 1_020);
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WallClockTest {
  private static final long MS = 1_000_000;
  private static final long THREAD = 7;

  private final WallClock clock = new WallClock(10 * MS);

  @Test
  void sample_afterAnother_standsForTheTimeBetween() {
    clock.measure(THREAD, 100 * MS);

    assertThat(clock.measure(THREAD, 110 * MS)).isEqualTo(10 * MS);
    assertThat(clock.measure(THREAD, 117 * MS)).isEqualTo(7 * MS);
    assertThat(clock.measure(THREAD, 400 * MS)).as("late").isEqualTo(283 * MS);
  }

  @Test
  void sample_thatIsTheFirst_standsForAPeriod() {
    assertThat(clock.measure(THREAD, 100 * MS)).isEqualTo(10 * MS);
    assertThat(clock.measure(THREAD + 1, 103 * MS)).isEqualTo(10 * MS);
  }

  @Test
  void sample_thatComesAfterALaterOne_standsForNothing() {
    clock.measure(THREAD, 100 * MS);

    assertThat(clock.measure(THREAD, 99 * MS)).isZero();
    assertThat(clock.measure(THREAD, 110 * MS)).isEqualTo(10 * MS);
  }

  @Test
  void sample_afterAVeryLongTime_standsForAPeriod() {
    clock.measure(THREAD, 0);

    assertThat(clock.measure(THREAD, 3_600_000 * MS)).isEqualTo(10 * MS);
  }

  @Test
  void thread_thatIsForgotten_isNew() {
    clock.measure(THREAD, 100 * MS);
    clock.forgetUntil(20_000 * MS);

    assertThat(clock.measure(THREAD, 105 * MS)).isEqualTo(10 * MS);
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.localroot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LocalRootTimeTest {
  private static LocalRoot ended(long nanoTime) {
    LocalRoot root = new LocalRoot();
    root.setEnded(nanoTime);
    return root;
  }

  @ParameterizedTest
  @ValueSource(
      longs = {
        0,
        1,
        1_023,
        1_024,
        -1,
        -1_025,
        123_456_789_012_345L,
        (1L << 42) - 1,
        1L << 42,
        5L << 42,
        Long.MAX_VALUE,
        Long.MIN_VALUE,
        Long.MAX_VALUE - 1_000
      })
  void endedNanos_anyTime_isAtMostTwoMicrosecondsLater(long nanoTime) {
    LocalRoot root = ended(nanoTime);
    for (long later : new long[] {0, 1, 60_000, TimeUnit.MINUTES.toNanos(68)}) {
      assertThat(root.endedNanos(nanoTime + later) - nanoTime).isBetween(0L, 2_048L);
    }
    assertThat(root.endedNanos(nanoTime - TimeUnit.MINUTES.toNanos(4)) - nanoTime)
        .isBetween(0L, 2_048L);
  }

  @Test
  void endedNanos_afterHours_isAtMostFourMinutesAhead() {
    LocalRoot root = ended(0);
    for (int minutes = 70; minutes < 600; minutes++) {
      long now = TimeUnit.MINUTES.toNanos(minutes);
      assertThat(now - root.endedNanos(now))
          .isBetween(TimeUnit.MINUTES.toNanos(-5), TimeUnit.MINUTES.toNanos(70));
    }
  }

  @Test
  void setEnded_again_keepsTheFirst() {
    LocalRoot root = ended(5_120);
    root.setEnded(9_999_999);
    assertThat(root.endedNanos(10_000_000)).isEqualTo(5_120);
  }

  @Test
  void nanosSinceCurrent_afterTheFirstCall_grows() {
    LocalRoot root = new LocalRoot();
    assertThat(root.wasCurrent()).isFalse();
    long before = System.nanoTime();
    root.setCurrent();
    long first = root.nanosSinceCurrent();
    root.setCurrent();

    assertThat(root.wasCurrent()).isTrue();
    assertThat(first).isBetween(0L, System.nanoTime() - before + 2_048);
    assertThat(root.nanosSinceCurrent()).isGreaterThanOrEqualTo(first);
  }
}

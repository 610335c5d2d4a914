/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Promise: the grace period grows as Elastic's specification says, up to its limit. */
class BackOffTest {
  @Test
  void next_ofManyFailuresInARow_isASquareOfSeconds() {
    assertThat(seconds(new BackOff(() -> 0.5), 10))
        .containsExactly(0.0, 1.0, 4.0, 9.0, 16.0, 25.0, 36.0, 36.0, 36.0, 36.0);
  }

  @Test
  void next_atTheLimitsOfTheJitter_deviatesByTenPercent() {
    assertThat(seconds(new BackOff(() -> 0), 7))
        .containsExactly(0.0, 0.9, 3.6, 8.1, 14.4, 22.5, 32.4);
    assertThat(seconds(new BackOff(() -> 1), 7))
        .containsExactly(0.0, 1.1, 4.4, 9.9, 17.6, 27.5, 39.6);
  }

  @Test
  void next_ofAnyJitter_staysWithinTenPercent() {
    BackOff backOff = new BackOff(new Random(1)::nextDouble);
    seconds(backOff, 6);

    assertThat(seconds(backOff, 10_000)).allMatch(next -> next >= 32.4 && next <= 39.6);
  }

  @Test
  void reset_afterFailures_startsOver() {
    BackOff backOff = new BackOff(() -> 0.5);
    seconds(backOff, 5);

    backOff.reset();

    assertThat(seconds(backOff, 3)).containsExactly(0.0, 1.0, 4.0);
  }

  private static List<Double> seconds(BackOff backOff, int count) {
    List<Double> seconds = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      seconds.add(Math.round(backOff.next() / 1e6) / (double) TimeUnit.SECONDS.toMillis(1));
    }
    return seconds;
  }
}

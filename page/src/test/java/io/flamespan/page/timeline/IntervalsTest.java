/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class IntervalsTest {
  private static final int FEW = 1_000;
  private static final int MANY = 1_000_000;

  /** A scan would take a thousand times the CPU time. */
  @Test
  void stopsWithinATime_areFoundBySearch() {
    long few = Long.MAX_VALUE;
    long many = Long.MAX_VALUE;
    Intervals some = stops(FEW);
    Intervals all = stops(MANY);
    for (int round = 0; round < 5; round++) {
      few = Math.min(few, cpuNanosOfQuestions(some, FEW));
      many = Math.min(many, cpuNanosOfQuestions(all, MANY));
    }

    assertThat(many).isLessThan(100 * few);
  }

  /** Each is half of its time. */
  private static Intervals stops(int count) {
    Intervals stops = new Intervals();
    for (int number = 0; number < count; number++) {
      stops.add(10L * number, 5, "cause");
    }
    stops.sort();
    return stops;
  }

  private static long cpuNanosOfQuestions(Intervals stops, int count) {
    SplittableRandom random = new SplittableRandom(1);
    long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    for (int question = 0; question < 2_000; question++) {
      long begin = 10L * random.nextInt(count);
      long end = 10L * random.nextInt(count);
      assertThat(stops.within(begin, end)).isEqualTo(Math.max(0, end - begin) / 2);
      stops.causes(begin, end, (cause, nanos) -> assertThat(nanos).isNotNegative());
      stops.contains(begin);
    }
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before;
  }
}

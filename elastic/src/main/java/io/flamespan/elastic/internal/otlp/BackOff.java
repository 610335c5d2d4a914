/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.otlp;

import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;

/**
 * The grace period after each consecutive failure: 0, 1, 4, 9, 16, 25 and then always 36 seconds,
 * each ± 10 %. Source: Elastic's transport specification, section "Transport errors". Not
 * thread-safe.
 */
final class BackOff {
  private static final int LONGEST_ROOT = 6;
  private static final double JITTER = 0.1;

  private final DoubleSupplier random;
  private int failures;

  /**
   * @param random returns numbers between 0 and 1, from which the jitter is derived
   */
  BackOff(DoubleSupplier random) {
    this.random = random;
  }

  /** Counts one more failure, and returns the grace period after it in nanoseconds. */
  long next() {
    int root = failures;
    if (failures < LONGEST_ROOT) {
      failures++;
    }
    double jitter = 1 + JITTER * (2 * random.getAsDouble() - 1);
    return (long) (TimeUnit.SECONDS.toNanos((long) root * root) * jitter);
  }

  void reset() {
    failures = 0;
  }
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.elastic.internal.otlp;

import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;

/**
 * The grace period after each failure in a row, of Elastic's specification of the transport,
 * section "Transport errors": 0, 1, 4, 9, 16, 25 and from then on 36 seconds, each ± 10 %. Not
 * thread-safe.
 */
final class BackOff {
  private static final int LONGEST_ROOT = 6;
  private static final double JITTER = 0.1;

  private final DoubleSupplier random;
  private int failures;

  /** Creates one whose jitter comes from numbers between 0 and 1. */
  BackOff(DoubleSupplier random) {
    this.random = random;
  }

  /** Returns the grace period, in nanoseconds, after one more failure. */
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

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.soak.app;

import io.flamespan.correlation.apps.ExpectedSpans;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Shows the profiler which span a thread must show while the plug-in of the current SDK runs.
 * Before and after that, a thread may show no trace.
 */
public final class StableTimes {
  private final ExpectedSpans expected;
  private final AtomicInteger inside = new AtomicInteger();
  private volatile @Nullable Object present;
  private volatile long result;

  StableTimes(ExpectedSpans expected) {
    this.expected = expected;
  }

  void begin(Object deployed) {
    present = deployed;
  }

  /** Returns when no thread is expected to show a span. */
  void end() throws InterruptedException {
    present = null;
    while (inside.get() > 0) {
      Thread.sleep(1);
    }
  }

  /** Computes for the current span, without blocking. */
  public void compute(Object deployed, String spanId, int rounds) {
    if (enter(deployed)) {
      try {
        expected.during(spanId, () -> compute(rounds));
      } finally {
        inside.decrementAndGet();
      }
    } else {
      compute(rounds);
    }
  }

  private boolean enter(Object deployed) {
    if (present != deployed) {
      return false;
    }
    inside.incrementAndGet();
    if (present == deployed) {
      return true;
    }
    inside.decrementAndGet();
    return false;
  }

  private void compute(int rounds) {
    long value = result;
    for (int i = 0; i < rounds; i++) {
      value = value * 31 + i;
    }
    result = value;
  }
}

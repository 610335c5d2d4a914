/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.elastic;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Waits for other processes. */
final class Waiting {
  private static final Duration TIMEOUT = Duration.ofMinutes(1);
  private static final long INTERVAL_MILLIS = 20;

  private Waiting() {}

  /** Waits for the condition, and returns whether it became true in time. */
  static boolean until(Condition condition) throws IOException, InterruptedException {
    long endNanos = System.nanoTime() + TIMEOUT.toNanos();
    while (!condition.holds()) {
      if (System.nanoTime() > endNanos) {
        return false;
      }
      TimeUnit.MILLISECONDS.sleep(INTERVAL_MILLIS);
    }
    return true;
  }

  /** A condition to wait for. */
  interface Condition {
    boolean holds() throws IOException;
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.junit.cases;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** Uses CPU time. */
final class Burn {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final long NANOS = 250_000_000;

  /** Uses as much CPU time of the thread as takes many samples. */
  static void cpu() {
    long end = THREADS.getCurrentThreadCpuTime() + NANOS;
    while (THREADS.getCurrentThreadCpuTime() < end) {
      // Until the thread has used it.
    }
  }

  private Burn() {}
}

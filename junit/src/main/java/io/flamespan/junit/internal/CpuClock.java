/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.junit.internal;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import org.jspecify.annotations.Nullable;

/** The CPU time of the calling thread. */
final class CpuClock {
  private static final @Nullable ThreadMXBean THREADS = threads();

  /** Returns null if the runtime is without the module java.management. */
  private static @Nullable ThreadMXBean threads() {
    try {
      return ManagementFactory.getThreadMXBean();
    } catch (LinkageError e) {
      return null;
    }
  }

  /** Returns a negative number if it is not known, as on a virtual thread. */
  static long nanos() {
    try {
      return THREADS == null ? -1 : THREADS.getCurrentThreadCpuTime();
    } catch (UnsupportedOperationException e) {
      return -1;
    }
  }

  private CpuClock() {}
}

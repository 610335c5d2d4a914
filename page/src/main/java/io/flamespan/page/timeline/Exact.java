/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.timeline;

/**
 * Times that the process measured for a span, in nanoseconds; negative if one is unknown or cannot
 * be.
 */
public record Exact(long stoppedNanos, long cpuNanos, long runQueueNanos) {
  public static final Exact NONE = new Exact(-1, -1, -1);

  private static final double TOLERATED = 1.1;
  private static final double TOLERATED_NANOS = 1e6; // by which clocks differ

  /** Of seconds, of which none can be much longer than the span. */
  public static Exact of(double stopped, double cpu, double runQueue, long durationNanos) {
    return new Exact(
        nanos(stopped, durationNanos), nanos(cpu, durationNanos), nanos(runQueue, durationNanos));
  }

  private static long nanos(double seconds, long durationNanos) {
    double nanos = seconds * 1e9;
    return nanos >= 0 && nanos <= durationNanos * TOLERATED + TOLERATED_NANOS
        ? Math.min(Math.round(nanos), durationNanos)
        : -1;
  }
}

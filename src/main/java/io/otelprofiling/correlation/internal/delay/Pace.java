/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.delay;

import java.util.concurrent.TimeUnit;

/**
 * How fast a processor takes delayed spans, and so how many may wait: as many as it takes in five
 * seconds, because the SDK waits for ten when it is closed. Used by the releaser's thread.
 */
final class Pace {
  private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final long MIN_REMEMBERED = 1_024; // spans
  private static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(5); // the JVM may have paused

  private final long remembered;
  private long spans;
  private long nanos;

  /**
   * Starts with an assumption: before the first spans have left, the application may have ended
   * thousands.
   *
   * @param assumedSpans the weight of the assumption: the first export may take seconds, because it
   *     loads classes and connects, and so may any other if the application takes all CPUs
   * @param nanosEach how long the processor takes for a span
   */
  Pace(long assumedSpans, long nanosEach) {
    remembered = Math.max(MIN_REMEMBERED, assumedSpans);
    spans = assumedSpans;
    nanos = assumedSpans * nanosEach;
  }

  /** Records that the processor has taken some spans in this time, without a pause. */
  void took(long someSpans, long inNanos) {
    spans += someSpans;
    nanos += Math.max(0, Math.min(MAX_NANOS, inNanos));
    while (spans > remembered) {
      spans /= 2;
      nanos /= 2;
    }
  }

  /** Returns how many spans may wait, which is at least 1. */
  int mayWait(int capacity) {
    long nanosEach = Math.max(1, nanos / spans);
    return (int) Math.max(1, Math.min(capacity, CLOSE_NANOS / nanosEach));
  }
}

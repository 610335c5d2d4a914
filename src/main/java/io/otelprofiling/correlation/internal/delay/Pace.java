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
  private static final long REMEMBERED = 1_024; // spans
  // Before the first spans have left, the application may have ended thousands. A processor that is
  // not known to export later may take milliseconds for each.
  private static final long ASSUMED_SPANS = 16;
  private static final long ASSUMED_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private long spans;
  private long nanos;

  /**
   * Starts with an assumption.
   *
   * @param exportsLater whether the processor exports spans on a thread of its own
   */
  Pace(boolean exportsLater) {
    spans = ASSUMED_SPANS;
    nanos = exportsLater ? 0 : ASSUMED_SPANS * ASSUMED_NANOS;
  }

  /** Records that the processor has taken some spans in this time, without a pause. */
  void took(long someSpans, long inNanos) {
    spans += someSpans;
    nanos += Math.max(0, inNanos);
    while (spans > REMEMBERED) {
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

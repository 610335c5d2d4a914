/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.timeline;

/** From when to when, in nanoseconds since the epoch, there are samples of a request. */
public final class Extent {
  /** So late that work which a request leaves behind would have begun. */
  private static final long FAR_NANOS = 60_000_000_000L;

  private long first = Long.MAX_VALUE;
  private long last;

  public void add(long from, long to) {
    first = Math.min(first, from);
    last = Math.max(last, to);
  }

  public void add(Extent other) {
    add(other.first, other.last);
  }

  /** Whether the first or the last sample is within a request, so that both have one clock. */
  public boolean agrees(long start, long end) {
    return agrees(first, start, end) || agrees(last, start, end);
  }

  public static boolean agrees(long time, long start, long end) {
    return time >= start && time <= end;
  }

  /**
   * Whether all samples are after the end of their request, but within its duration: as a clock
   * moves all of them by the same time, it does not prolong what they are of.
   */
  public boolean isMoved(long start, long end) {
    return last > 0 && first > end && last - first <= end - start;
  }

  /**
   * Whether they were taken with another clock.
   *
   * @param agreeing whether samples of other requests agree with the clock of the process
   */
  public boolean clocksDiffer(long start, long end, boolean agreeing) {
    return isMoved(start, end) && (!agreeing || first - end > FAR_NANOS);
  }
}

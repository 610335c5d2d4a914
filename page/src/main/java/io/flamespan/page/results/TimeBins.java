/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.results;

/**
 * Consecutive ranges of time of the same length.
 *
 * @param start of the first one, in seconds since the epoch
 * @param width in seconds
 */
public record TimeBins(long start, long width, int count) {
  private static final long SECOND = 1_000_000_000;

  /** The shortest bins of which at most so many are needed. None if the last second is unknown. */
  public static TimeBins between(long firstSecond, long lastSecond, int most) {
    if (lastSecond < firstSecond) {
      return new TimeBins(0, 1, 0);
    }
    long seconds = lastSecond - firstSecond + 1;
    long width = (seconds + most - 1) / most;
    return new TimeBins(firstSecond, width, (int) ((seconds + width - 1) / width));
  }

  /** The bin of this time, or -1. */
  public int binOf(long unixNanos) {
    return binOfSecond(Math.floorDiv(unixNanos, SECOND));
  }

  /** The bin of this time, or the first one if that is later. */
  public int firstSince(long unixNanos) {
    long bin = Math.floorDiv(Math.floorDiv(unixNanos, SECOND) - start, width);
    return (int) Math.max(0, Math.min(bin, count));
  }

  public long beginNanos(int bin) {
    return (start + bin * width) * SECOND;
  }

  /** The bin of this second since the epoch, or -1. */
  public int binOfSecond(long second) {
    long bin = Math.floorDiv(second - start, width);
    return bin >= 0 && bin < count ? (int) bin : -1;
  }
}

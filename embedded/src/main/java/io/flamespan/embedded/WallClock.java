/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import java.util.HashMap;
import java.util.Map;

/**
 * Finds for how long a sample of the wall clock stands: for the time since the one before of the
 * same thread. That is a period, but if CPU is short, async-profiler comes late, and periods would
 * count too little. Used by one thread at a time.
 */
final class WallClock {
  /** Without a sample for longer, it is not known what a thread did. */
  private static final long MOST_NANOS = 10_000_000_000L;

  private static final int MOST_PERIODS = 10; // if these are longer

  private final long periodNanos;
  private final long mostNanos;
  private final Map<Long, Long> last = new HashMap<>(); // of each thread

  WallClock(long periodNanos) {
    this.periodNanos = periodNanos;
    this.mostNanos = Math.max(MOST_NANOS, MOST_PERIODS * periodNanos);
  }

  /** Returns the nanoseconds for which a sample stands; 0 if a later one has been counted. */
  long measure(long threadId, long time) {
    Long before = last.get(threadId);
    if (before != null && time <= before) {
      return 0;
    }
    last.put(threadId, time);
    return before == null || time - before > mostNanos ? periodNanos : time - before;
  }

  /** Forgets threads that have no sample shortly before a time. */
  void forgetUntil(long time) {
    last.values().removeIf(before -> time - before > mostNanos);
  }
}

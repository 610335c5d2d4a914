/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import java.util.List;

/**
 * Finds what HotSpot counts as stopped beyond the pauses of garbage collections: in sum exactly,
 * and at its place if one stop is counted at a time. Used by one thread at a time.
 */
final class Safepoints {
  private static final long LATE_NANOS = 1_000_000; // more than passes before a stop is counted

  private long lastNow;
  private long lastStopped;
  private long lastReaching;

  /**
   * What was not delivered yet. Less than nothing while a pause has ended whose stop has not been
   * counted.
   */
  private long standing;

  /**
   * When the JVM began, by its own counters: then threads run and are stopped by turns. Each look
   * shows that it was not later than a certain time.
   */
  private long origin;

  /** Begins at the first look. */
  Safepoints(long now, long running, long reaching, long stopped) {
    lastNow = now;
    lastStopped = stopped;
    lastReaching = reaching;
    origin = now - running - stopped;
  }

  /** Returns whether there were stops since the last look. */
  boolean hasNew(long stopped) {
    return stopped != lastStopped;
  }

  /**
   * Adds what the counters have more than at the last look.
   *
   * @param now the time after the counters were read
   * @param stops pauses that have ended since then, to which further stops are added
   */
  void look(long now, long running, long reaching, long stopped, List<Stop> stops) {
    long pauses = stops.stream().mapToLong(pause -> pause.nanos).sum();
    long reached = reaching - lastReaching;
    standing += stopped - lastStopped - reached - pauses;
    origin = Math.min(origin, now - running - stopped);
    long end = origin + running + stopped;
    if (hasNew(stopped) && end < lastNow - LATE_NANOS) {
      origin += now - end; // the counters have lost time, as those of Java 13 to 16 may
      end = now;
    }
    long rest = Math.max(standing, 0);
    if (reached > 0) {
      long begin = end - rest - pauses - reached;
      stops.add(new Stop(Stop.REACHING, Stop.SAFEPOINT, begin, reached));
    }
    if (rest > 0) {
      stops.add(new Stop(Stop.OTHERS, Stop.SAFEPOINT, end - rest, rest));
      standing = 0;
    }
    lastNow = now;
    lastStopped = stopped;
    lastReaching = reaching;
  }
}

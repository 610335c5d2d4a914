/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.log;

import java.util.HashMap;
import java.util.Map;

/**
 * The warnings of the last minute: what befalls each SDK of a process is logged once. Thread-safe.
 */
final class RecentWarnings {
  private static final int MAX = 100;

  private final Map<String, long[]> recent = new HashMap<>(); // next line, occurrences since

  /**
   * Counts occurrences of a warning.
   *
   * @param now a time in nanoseconds
   * @return how many there have been since the last line, or 0 if that is less than a minute ago
   */
  synchronized long count(String warning, long occurrences, long now) {
    long next = now + RateLimitedLogger.INTERVAL_NANOS;
    long[] known = recent.get(warning);
    if (known == null) {
      if (recent.size() == MAX) {
        clear();
      }
      recent.put(warning, new long[] {next, 0});
      return occurrences;
    }
    known[1] += occurrences;
    if (now - known[0] < 0) {
      return 0;
    }
    long all = known[1];
    known[0] = next;
    known[1] = 0;
    return all;
  }

  synchronized void clear() {
    recent.clear();
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.model;

import io.flamespan.page.results.Measure;
import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import java.util.Arrays;

/** The amounts of samples in each second, by Link. */
public final class OverTime {
  /**
   * In place of the number of a Link if the sample has none, or is after the end of its request.
   */
  public static final int NO_REQUEST = 0x7fffffff;

  private static final long SECOND = 1_000_000_000;

  /** Receives the amount of a Link in a second since the epoch. */
  public interface Visitor {
    void visit(int link, int second, long amount);
  }

  private final Long2LongOpenHashMap[] amounts = new Long2LongOpenHashMap[Measure.COUNT];

  OverTime() {
    Arrays.setAll(amounts, measure -> new Long2LongOpenHashMap());
  }

  void add(int link, long unixNanos, Measure measure, long amount) {
    if (unixNanos > 0) { // else the time is unknown
      long second = unixNanos / SECOND;
      amounts[measure.ordinal()].addTo((long) link << 32 | second, amount);
    }
  }

  public void forEach(Measure measure, Visitor visitor) {
    amounts[measure.ordinal()]
        .long2LongEntrySet()
        .fastForEach(
            entry ->
                visitor.visit(
                    (int) (entry.getLongKey() >>> 32),
                    (int) entry.getLongKey(),
                    entry.getLongValue()));
  }
}

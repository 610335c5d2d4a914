/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.timeline;

import it.unimi.dsi.fastutil.ints.IntArrays;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.Arrays;

/**
 * Whole waits of a request of which the thread is not known, as those of virtual threads. Waits at
 * the same time are of different threads.
 */
final class WaitsOfAnyThread {
  private final LongArrayList begins = new LongArrayList();
  private final LongArrayList ends = new LongArrayList();
  private long[] sortedBegins = {};
  private long[] sortedEnds = {};

  void add(long begin, long end) {
    begins.add(begin);
    ends.add(end);
  }

  /** Sorts them, after all were added. */
  void sort() {
    sortedBegins = begins.toLongArray();
    sortedEnds = ends.toLongArray();
    Arrays.sort(sortedBegins);
    Arrays.sort(sortedEnds);
  }

  /** A number for the thread of each, from 0 on, in the order in which they were added. */
  int[] threads() {
    int[] order = new int[begins.size()];
    Arrays.setAll(order, place -> place);
    IntArrays.stableSort(
        order,
        (one, other) -> {
          int compared = Long.compare(begins.getLong(one), begins.getLong(other));
          return compared != 0 ? compared : Long.compare(ends.getLong(one), ends.getLong(other));
        });
    LongArrayList lastEnds = new LongArrayList();
    int[] threads = new int[order.length];
    for (int place : order) {
      int thread = 0;
      while (thread < lastEnds.size() && lastEnds.getLong(thread) > begins.getLong(place)) {
        thread++;
      }
      if (thread == lastEnds.size()) {
        lastEnds.add(0);
      }
      lastEnds.set(thread, ends.getLong(place));
      threads[place] = thread;
    }
    return threads;
  }

  /**
   * The later one of a begin and of the last end of a wait until a time. Who was on CPU at that
   * time may be the one who waited before.
   */
  long after(long begin, long time) {
    int place = lowerBound(sortedEnds, time + 1) - 1;
    return place < 0 ? begin : Math.max(begin, sortedEnds[place]);
  }

  /** The earlier one of an end and of the first begin of a wait from a time on. */
  long before(long end, long time) {
    int place = lowerBound(sortedBegins, time);
    return place == sortedBegins.length ? end : Math.min(end, sortedBegins[place]);
  }

  /** The place of the first one that is not less. */
  private static int lowerBound(long[] sorted, long least) {
    int from = 0;
    int to = sorted.length;
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (sorted[middle] < least) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }
}

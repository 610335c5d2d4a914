/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.results;

import io.flamespan.page.timeline.Measured;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The requests of an endpoint by the bin of time in which they begin, each with all of its samples.
 *
 * @param tree the flame graph of all of them
 * @param cells the samples of a bin in a node without those below it, by {@link #cell}
 */
public record TimeSlices(Bins bins, FlameTree tree, Long2ObjectOpenHashMap<Tally> cells) {

  /**
   * The figures of the requests of each bin.
   *
   * @param requests their number
   * @param known the number of those whose durations are known
   * @param durationNanos the sum of their durations
   * @param samples the number of their samples of CPU time
   * @param measured what was measured of them, null of none
   */
  @SuppressWarnings("ArrayRecordComponent") // which nobody compares
  public record Bins(
      long[] requests,
      long[] known,
      long[] durationNanos,
      long[] samples,
      @Nullable Measured[] measured) {
    public Bins(int count) {
      this(new long[count], new long[count], new long[count], new long[count], new Measured[count]);
    }

    public void add(int bin, Measured request) {
      Measured sum = measured[bin];
      if (sum == null) {
        sum = Measured.sum();
        measured[bin] = sum;
      }
      sum.add(request);
    }
  }

  public static long cell(int bin, int node) {
    return (long) bin << 32 | node;
  }

  public static int bin(long cell) {
    return (int) (cell >>> 32);
  }

  public static int node(long cell) {
    return (int) cell;
  }
}

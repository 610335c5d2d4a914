/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.model;

import io.flamespan.page.input.Problems;
import io.flamespan.page.results.Measure;
import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import java.time.Instant;
import java.util.Arrays;

/**
 * The seconds that the chart shows: from the first sample of CPU time to the last, without a few
 * that are so far away from the others that only a wrong clock explains it. They would make each
 * bin days long.
 */
record ChartRange(long first, long last) {
  private static final double FEW = 0.1; // of the CPU time
  private static final long FAR = 100; // times the length of the rest
  private static final long LEAST_SECONDS = 60;

  static ChartRange of(OverTime overTime, Problems problems) {
    Long2LongOpenHashMap cpu = new Long2LongOpenHashMap();
    overTime.forEach(Measure.CPU, (link, second, nanos) -> cpu.addTo(second, nanos));
    long[] seconds = cpu.keySet().toLongArray();
    Arrays.sort(seconds);
    int from = 0;
    int to = seconds.length;
    double total = cpu.values().longStream().sum();
    for (int cut = cut(seconds, from, to); cut > 0; cut = cut(seconds, from, to)) {
      double before = sum(cpu, seconds, from, cut);
      double after = sum(cpu, seconds, cut, to);
      boolean early = before <= after;
      long rest = early ? seconds[to - 1] - seconds[cut] : seconds[cut - 1] - seconds[from];
      long gap = seconds[cut] - seconds[cut - 1];
      if (Math.min(before, after) > FEW * total || gap < FAR * (rest + LEAST_SECONDS)) {
        break;
      }
      problems.add(
          "time far from all others",
          String.format(
              "%.3f s of CPU time at %s, not in the chart over time",
              Math.min(before, after) / 1e9,
              Instant.ofEpochSecond(seconds[early ? from : to - 1])));
      from = early ? cut : from;
      to = early ? to : cut;
    }
    return to == 0 ? new ChartRange(1, 0) : new ChartRange(seconds[from], seconds[to - 1]);
  }

  /** The position after the largest gap, or 0 without any. */
  private static int cut(long[] seconds, int from, int to) {
    int largest = 0;
    for (int i = from + 1; i < to; i++) {
      if (largest == 0 || seconds[i] - seconds[i - 1] > seconds[largest] - seconds[largest - 1]) {
        largest = i;
      }
    }
    return largest;
  }

  private static double sum(Long2LongOpenHashMap cpu, long[] seconds, int from, int to) {
    double sum = 0;
    for (int i = from; i < to; i++) {
      sum += cpu.get(seconds[i]);
    }
    return sum;
  }
}

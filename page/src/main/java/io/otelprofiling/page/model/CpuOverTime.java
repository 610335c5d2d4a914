/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.page.model;

import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;

/** CPU time in each second, by Link. */
public final class CpuOverTime {
  /** In place of the number of a Link if the sample does not have one. */
  public static final int NO_LINK = 0x7fffffff;

  private static final long SECOND = 1_000_000_000;

  /** Receives the CPU time of a Link in a second since the epoch. */
  public interface Visitor {
    void visit(int link, int second, long cpuNanos);
  }

  private final Long2LongOpenHashMap nanos = new Long2LongOpenHashMap();

  void add(int link, long unixNanos, long cpuNanos) {
    long second = unixNanos / SECOND;
    if (second > 0 && second < Integer.MAX_VALUE) { // else the time is unknown
      nanos.addTo((long) link << 32 | second, cpuNanos);
    }
  }

  public void forEach(Visitor visitor) {
    nanos
        .long2LongEntrySet()
        .fastForEach(
            entry ->
                visitor.visit(
                    (int) (entry.getLongKey() >>> 32),
                    (int) entry.getLongKey(),
                    entry.getLongValue()));
  }
}

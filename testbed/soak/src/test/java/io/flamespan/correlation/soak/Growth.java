/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.soak;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The growth of a process over time. Compares the minima of the first and the last quarter, because
 * disturbances use more for a while.
 */
final class Growth {
  /**
   * A shorter process is still warming up: it compiles code, and some disturbances have not
   * occurred yet.
   */
  private static final long SHORTEST_SECONDS = 300;

  // Share of the process's run time after which all disturbances have occurred and hot code is
  // compiled.
  private static final double WARM_UP = 0.25;

  /** Kilobytes and numbers by which a process may grow from the first to the last quarter. */
  private static final Map<String, Long> LIMITS =
      Map.of(
          // Compiled code, metaspace of loaders that are not collected yet, and fragmented native
          // memory.
          "resident", 80L * 1024,
          // Tables of spans that grow once. One deployment takes 4.5 MB.
          "heap", 16L * 1024,
          "direct", 1024L,
          "files", 12L,
          "threads", 8L,
          // Libraries of the JVM and its tools that are loaded on first use.
          "mappings", 20L,
          // The current loader, and some that the collector has not processed yet.
          "loaders", 3L);

  private record Taken(long nanos, Map<String, Long> values) {}

  private final long begin = System.nanoTime();
  private final List<Taken> taken = new ArrayList<>();

  void look(long pid) {
    try {
      add(
          Map.of(
              "resident", Proc.status(pid, "VmRSS"),
              "threads", Proc.lastingThreads(pid),
              "files", Proc.fileDescriptors(pid),
              "mappings", Proc.namedMappings(pid)));
    } catch (IOException e) {
      // The process has ended; its exit status says how.
    }
  }

  synchronized void add(Map<String, Long> values) {
    taken.add(new Taken(System.nanoTime(), values));
  }

  long seconds() {
    return (System.nanoTime() - begin) / 1_000_000_000;
  }

  /** Returns the growth by name. It is empty if the process did not run long enough. */
  synchronized Map<String, Long> check(List<String> problems) {
    Map<String, Long> growth = new LinkedHashMap<>();
    long whole = System.nanoTime() - begin;
    if (whole < SHORTEST_SECONDS * 1_000_000_000) {
      return growth;
    }
    long warm = begin + (long) (whole * WARM_UP);
    long quarter = (long) (whole * (1 - WARM_UP) / 4);
    for (Map.Entry<String, Long> limit : LIMITS.entrySet()) {
      long first = smallest(limit.getKey(), warm, warm + quarter);
      long last = smallest(limit.getKey(), begin + whole - quarter, Long.MAX_VALUE);
      if (first == Long.MAX_VALUE || last == Long.MAX_VALUE) {
        continue;
      }
      growth.put(limit.getKey(), last - first);
      if (last - first > limit.getValue()) {
        problems.add(limit.getKey() + " grew from " + first + " to " + last);
      }
    }
    return growth;
  }

  private long smallest(String name, long from, long to) {
    return taken.stream()
        .filter(each -> each.nanos - from >= 0 && each.nanos - to < 0)
        .filter(each -> each.values.containsKey(name))
        .mapToLong(each -> each.values.get(name))
        .min()
        .orElse(Long.MAX_VALUE);
  }
}

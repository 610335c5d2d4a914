/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.page.model;

import java.util.Map;
import java.util.Set;

/**
 * The meaning of a profile's values and their length in nanoseconds, by type and unit.
 *
 * @param kind what the value measures
 * @param counted whether the value is a number of samples instead of a time or a
 *     size
 * @param nanos of a value that is a time
 */
record Unit(Kind kind, boolean counted, double nanos, double periodNanos) {
  enum Kind {
    CPU,
    WAIT,
    OTHER
  }

  /** Types of CPU time; the last two are engines of async-profiler. */
  private static final Set<String> CPU = Set.of("cpu", "on-cpu", "on_cpu", "ctimer", "itimer");

  private static final Map<String, Double> TIME =
      Map.ofEntries(
          Map.entry("nanoseconds", 1.0),
          Map.entry("nanosecond", 1.0),
          Map.entry("ns", 1.0),
          Map.entry("microseconds", 1e3),
          Map.entry("us", 1e3),
          Map.entry("milliseconds", 1e6),
          Map.entry("ms", 1e6),
          Map.entry("seconds", 1e9),
          Map.entry("s", 1e9));

  /**
   * Counted samples are of CPU time if the type of the period is that or missing. The length of a
   * period that is not a time is 0.
   */
  static Unit of(String type, String unit, String periodType, double periodNanos) {
    boolean counted = !TIME.containsKey(unit) && !unit.equals("bytes");
    Kind kind = CPU.contains(type) ? Kind.CPU : other(type, counted, periodType, periodNanos);
    return new Unit(kind, counted, TIME.getOrDefault(unit, 0.0), periodNanos);
  }

  private static Kind other(String type, boolean counted, String periodType, double periodNanos) {
    return switch (type) {
      case "off_cpu", "off-cpu" -> counted ? Kind.OTHER : Kind.WAIT;
      case "samples", "events", "" ->
          periodType.isEmpty() || CPU.contains(periodType) ? Kind.CPU : Kind.OTHER;
      // Another engine of async-profiler, for events of which some are not times.
      case "perf_events" -> !counted || periodNanos > 0 ? Kind.CPU : Kind.OTHER;
      default -> Kind.OTHER;
    };
  }

  Unit withPeriod(double otherNanos) {
    return new Unit(kind, counted, nanos, otherNanos);
  }

  static double nanosOf(long value, String unit) {
    return value * TIME.getOrDefault(unit, 0.0);
  }
}

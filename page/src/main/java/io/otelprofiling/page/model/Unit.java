/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.page.model;

import io.otelprofiling.page.results.Measure;
import java.util.Map;
import java.util.Set;

/**
 * The meaning of a profile's values and their size, by type and unit.
 *
 * @param measure what the value measures; null if the page does not show it
 * @param counted whether the value is a number of samples instead of a time or a size
 * @param size of a value of 1 that is no number of samples, in nanoseconds or bytes
 */
record Unit(Measure measure, boolean counted, double size, double periodNanos) {
  private static final String BYTES = "bytes";

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
    boolean counted = !TIME.containsKey(unit) && !unit.equals(BYTES);
    Measure measure = CPU.contains(type) ? Measure.CPU : other(type, unit, periodType, periodNanos);
    double size = measure == Measure.ALLOC ? 1 : TIME.getOrDefault(unit, 0.0);
    return new Unit(measure, counted, size, periodNanos);
  }

  private static Measure other(String type, String unit, String periodType, double periodNanos) {
    boolean time = TIME.containsKey(unit);
    boolean bytes = unit.equals(BYTES);
    return switch (type) {
      case "off_cpu", "off-cpu" -> time || bytes ? Measure.WAIT : null;
      case "samples", "events", "" ->
          periodType.isEmpty() || CPU.contains(periodType) ? Measure.CPU : null;
      // Another engine of async-profiler, for events of which some are not times.
      case "perf_events" -> time || bytes || periodNanos > 0 ? Measure.CPU : null;
      // The names in plural are those of async-profiler's converter.
      case "alloc_space", "alloc", "allocations" -> bytes ? Measure.ALLOC : null;
      case "lock", "locks" -> time ? Measure.LOCK : null;
      default -> null;
    };
  }

  Unit withPeriod(double otherNanos) {
    return new Unit(measure, counted, size, otherNanos);
  }

  static double nanosOf(long value, String unit) {
    return value * TIME.getOrDefault(unit, 0.0);
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.model;

import io.flamespan.page.results.Measure;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The meaning of a profile's values and their size, by type and unit.
 *
 * @param measure what the value measures; null if the page does not show it
 * @param counted whether the value is a number of samples instead of a time or a size
 * @param size of a value of 1 that is no number of samples, in nanoseconds or bytes
 */
record Unit(
    @Nullable Measure measure,
    @Nullable OnlyInTime onlyInTime,
    boolean counted,
    double size,
    double periodNanos) {

  /** What only the time line shows. */
  enum OnlyInTime {
    /** A thread was on CPU or ready. */
    RUNNABLE,
    /** The JVM stopped all threads. */
    STOPPED,
    /** A container was throttled. */
    THROTTLED,
    /** Somebody held a lock for which a thread waited. */
    HELD
  }

  private static final Set<String> COUNTS = Set.of("count", "counts", "samples", "");

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

  /** Nothing is guessed: the measure is null if the type or the unit is not known. */
  static Unit of(String type, String unit, String periodType, double periodNanos) {
    boolean time = TIME.containsKey(unit);
    boolean counted = COUNTS.contains(unit);
    boolean sampled = (time || counted) && CPU.contains(periodType);
    Measure measure =
        switch (type) {
          case "off_cpu", "off-cpu" -> time ? Measure.WAIT : null;
          // Until September 2025, the eBPF profiler had this for waits. Counted ones are probes.
          case "events" -> time ? Measure.WAIT : sampled ? Measure.CPU : null;
          case "samples", "" -> sampled || (counted && periodType.isEmpty()) ? Measure.CPU : null;
          // Another engine of async-profiler, for events of which some are not times.
          case "perf_events" -> time || (counted && periodNanos > 0) ? Measure.CPU : null;
          // async-profiler's converter has the names in plural.
          case "alloc_space", "alloc", "allocations" -> unit.equals("bytes") ? Measure.ALLOC : null;
          case "lock", "locks" -> time ? Measure.LOCK : null;
          default -> CPU.contains(type) && (time || counted) ? Measure.CPU : null;
        };
    double size = measure == Measure.ALLOC ? 1 : TIME.getOrDefault(unit, 0.0);
    OnlyInTime onlyInTime =
        switch (type) {
          case "runnable" -> time ? OnlyInTime.RUNNABLE : null;
          case "jvm_stopped" -> time ? OnlyInTime.STOPPED : null;
          case "cpu_throttled" -> time ? OnlyInTime.THROTTLED : null;
          case "lock_holder" -> time ? OnlyInTime.HELD : null;
          default -> null;
        };
    return new Unit(measure, onlyInTime, !time && !unit.equals("bytes"), size, periodNanos);
  }

  /** Without what it measures, so that its samples are only counted. */
  Unit unknown() {
    return new Unit(null, null, counted, size, periodNanos);
  }

  /** Whether the period of a profile is one of CPU time. */
  static boolean isCpu(String periodType) {
    return CPU.contains(periodType);
  }

  static double nanosOf(long value, String unit) {
    return value * TIME.getOrDefault(unit, 0.0);
  }
}

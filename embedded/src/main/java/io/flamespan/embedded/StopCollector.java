/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import io.flamespan.correlation.internal.log.RateLimitedLogger;
import io.flamespan.correlation.internal.log.Step;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects samples of stops, with or without a session. Thread-safe. */
final class StopCollector {
  private final RateLimitedLogger failures = new RateLimitedLogger(StopCollector.class);
  private final StopSamples samples;
  private final long periodNanos;
  // Created here, which needs memory.
  private final Step look;
  private final Step deliver = this::deliverFound;
  private final Step end;

  private StopCollector(StopSamples samples, long periodNanos) {
    this.samples = samples;
    this.periodNanos = periodNanos;
    this.look = samples::look;
    this.end = samples::end;
  }

  /** Begins, and says what will not be known. Returns null if there is nothing to look at. */
  static @Nullable StopCollector begin(long periodNanos) {
    StopSamples begun = StopSamples.begin();
    return begun == null ? null : new StopCollector(begun, periodNanos);
  }

  /** Returns what it looks at, as {@link StopSamples#toString}. */
  @Override
  public String toString() {
    return samples.toString();
  }

  /** Looks what has been stopped since the last time. Never throws. */
  void look() {
    safely(look);
  }

  /** Delivers what was found since the last time. Never throws. */
  synchronized void deliver() {
    safely(deliver);
  }

  private void deliverFound() {
    List<JoinedSample> found = samples.take();
    if (!found.isEmpty()) {
      EmbeddedAsyncProfiler.tellListeners(found, periodNanos);
    }
  }

  /** Looks and delivers for the last time. Never throws. */
  void end() {
    safely(end);
    deliver();
  }

  private void safely(Step step) { // listeners may throw anything, as may a full heap
    boolean unused = failures.attempt("The embedded profiler has lost stops", step);
  }
}

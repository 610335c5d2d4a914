/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.delay;

import io.otelprofiling.correlation.internal.localroot.LocalRootSpans;
import java.util.function.LongSupplier;

/** What all span processors of one plug-in have in common. Immutable. */
public final class Shared {
  final LocalRootSpans localRoots;
  final SamplesDelay delay;
  final Messages messages;
  final SampleReport report;
  final int capacity;
  final String capacitySetting;
  final LongSupplier nanoClock;

  /**
   * Creates it with the clock of the system.
   *
   * @param capacity the number of spans that may wait for one processor
   * @param capacitySetting the name of the setting for that, for messages
   */
  public Shared(
      LocalRootSpans localRoots,
      SamplesDelay delay,
      Messages messages,
      SampleReport report,
      int capacity,
      String capacitySetting) {
    this(localRoots, delay, messages, report, capacity, capacitySetting, System::nanoTime);
  }

  /** Creates it with a clock that returns the time like {@link System#nanoTime()}. */
  Shared(
      LocalRootSpans localRoots,
      SamplesDelay delay,
      Messages messages,
      SampleReport report,
      int capacity,
      String capacitySetting,
      LongSupplier nanoClock) {
    this.localRoots = localRoots;
    this.delay = delay;
    this.messages = messages;
    this.report = report;
    this.capacity = capacity;
    this.capacitySetting = capacitySetting;
    this.nanoClock = nanoClock;
  }
}

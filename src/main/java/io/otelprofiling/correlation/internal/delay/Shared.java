/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.delay;

import io.otelprofiling.correlation.internal.localroot.LocalRootSpans;

/** What all span processors of one plug-in have in common. Immutable. */
public final class Shared {
  final LocalRootSpans localRoots;
  final SamplesDelay delay;
  final Messages messages;
  final SampleReport report;
  final int capacity;

  /**
   * Holds them together.
   *
   * @param capacity the number of spans that may wait for one processor
   */
  public Shared(
      LocalRootSpans localRoots,
      SamplesDelay delay,
      Messages messages,
      SampleReport report,
      int capacity) {
    this.localRoots = localRoots;
    this.delay = delay;
    this.messages = messages;
    this.report = report;
    this.capacity = capacity;
  }
}

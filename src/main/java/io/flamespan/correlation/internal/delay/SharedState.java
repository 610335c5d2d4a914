/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.delay;

import io.flamespan.correlation.internal.localroot.LocalRootSpans;
import io.flamespan.correlation.internal.wrapping.SampleReport;

/** What the delaying processors of one SDK have in common. */
public final class SharedState {
  final LocalRootSpans localRoots;
  final SamplesDelay delay;
  final Messages messages;
  final SampleReport report;
  final int capacity;

  /**
   * Creates the state.
   *
   * @param capacity the number of spans that may wait for one processor
   */
  public SharedState(
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

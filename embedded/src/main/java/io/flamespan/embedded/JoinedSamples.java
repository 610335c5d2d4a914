/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import java.util.List;

/** Receives all samples, also of threads that work for no span. */
public interface JoinedSamples {
  /**
   * Receives what was collected at once. Called by one thread of the embedded profiler at a time,
   * which collects nothing meanwhile. Must not throw.
   *
   * @param periodNanos the CPU time of a thread between two samples
   */
  void onJoined(List<JoinedSample> samples, long periodNanos);
}

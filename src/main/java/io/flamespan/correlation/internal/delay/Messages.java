/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.delay;

/** The samples of profilers that have not been added to spans yet. Thread-safe. */
public interface Messages {
  /**
   * Handles all messages that have arrived by now, on the caller's thread. Never throws.
   *
   * @param againNanos the time within which the caller will call this again, or 0
   */
  void handleArrived(long againNanos);

  /** Has an embedded profiler add what it has sampled so far. May take a second. Never throws. */
  default void collect() {}

  /** Called at the end of a round of a releaser, which may have changed its counts. */
  default void roundsEnded() {}
}

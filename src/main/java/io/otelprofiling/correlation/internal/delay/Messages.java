/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.delay;

/** The messages of profilers that have arrived and are not handled yet. Thread-safe. */
public interface Messages {
  /**
   * Handles all messages that have arrived by now, on the caller's thread. Never throws.
   *
   * @param againNanos the time within which the caller will call this again, or 0
   */
  void handleArrived(long againNanos);

  /** Called at the end of a round of a releaser, which may have changed its counts. */
  default void roundEnded() {}
}

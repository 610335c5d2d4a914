/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.protocol;

/** What the two messages of a profiler mean to the rest. Called on the channel's thread. */
public interface MessageHandler {
  /**
   * A profiler is active on this host.
   *
   * @param samplesDelayMillis usual upper bound of the time between a sample and its message,
   *     unsigned 32 bit
   * @param hostId the profiler's {@code host.id}, empty if it does not tell
   */
  void onRegistration(long samplesDelayMillis, String hostId);

  /**
   * Samples of one stack trace were taken while a local root span was active.
   *
   * @param count how many, 0 to 65,535
   */
  void onCorrelation(
      long traceIdHigh,
      long traceIdLow,
      long localRootSpanId,
      long stackTraceIdHigh,
      long stackTraceIdLow,
      int count);
}

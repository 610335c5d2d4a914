/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.protocol;

/** Handles a profiler's two messages. Called by one thread at a time. */
public interface MessageHandler {
  /**
   * Called when a profiler announces that it is active on this host.
   *
   * @param samplesDelayMillis the usual upper bound of the time between a sample and its message,
   *     in milliseconds, unsigned 32 bit
   * @param hostId the profiler's {@code host.id}, or an empty string if it does not announce one
   */
  void onRegistration(long samplesDelayMillis, String hostId);

  /**
   * Called when samples of one stack trace were taken while a local root span was active.
   *
   * @param count the number of samples, 0 to 65,535
   */
  void onCorrelation(
      long traceIdHigh,
      long traceIdLow,
      long localRootSpanId,
      long stackTraceIdHigh,
      long stackTraceIdLow,
      int count);
}

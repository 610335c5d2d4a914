/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.protocol;

/** Handles the two messages of a profiler, and requests. Called by one thread at a time. */
public interface MessageHandler {
  /**
   * Called when a profiler announces that it is active on this host.
   *
   * @param samplesDelayMillis usual upper bound of the time between a sample and its message,
   *     unsigned 32 bit
   * @param hostId the profiler's {@code host.id}, empty if it does not announce one
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

  /**
   * Called when a tool of the plug-in asks for its status.
   *
   * @param nonce eight bytes by which the tool recognizes the answer, the first one in the highest
   *     bits
   */
  void onStatusRequest(long nonce);
}

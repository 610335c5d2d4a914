/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.embedded;

/** Receives samples of threads that worked for a local root span. Thread-safe. Never throws. */
public interface SampleReceiver {
  /**
   * Adds samples of one stack trace to a local root span.
   *
   * @param stackTraceIdHigh the first half of the stack trace id, big endian
   * @param count the number of samples, at least 1
   */
  void onSamples(Work work, long stackTraceIdHigh, long stackTraceIdLow, int count);

  /**
   * Counts samples of threads that worked for a local root span that is not sampled.
   *
   * @param name its name, or an empty text if that is not known
   * @param count the number of samples, at least 1
   */
  default void onNotSampled(String name, int count) {}

  /**
   * Says that all samples up to a time have been delivered. That is not always as often as it
   * should be: a machine that is short of CPU can make it several seconds.
   *
   * @param nanoTime a time by {@link System#nanoTime()}
   */
  default void onDelivered(long nanoTime) {}

  /**
   * Says that the profiler has ended by itself, so no more samples will come.
   *
   * @param reason why, in a few words
   */
  default void onEnded(String reason) {}
}

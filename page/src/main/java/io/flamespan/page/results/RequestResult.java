/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.results;

/**
 * A local root span with its samples.
 *
 * @param trace the same object for all requests of a trace
 * @param startNanos since the epoch
 */
public record RequestResult(
    TraceResult trace, long spanId, long startNanos, long durationNanos, Tally tally) {

  /**
   * The part of the duration that is neither CPU time nor waiting by the samples. 0 if the threads
   * of the request together took longer than its duration.
   */
  public long neitherNanos() {
    return neitherNanos(durationNanos, tally);
  }

  public static long neitherNanos(long durationNanos, Tally tally) {
    return Math.max(0, durationNanos - tally.cpuNanos() - tally.waitingNanos());
  }
}

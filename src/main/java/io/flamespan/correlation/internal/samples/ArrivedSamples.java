/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.samples;

import io.flamespan.correlation.internal.config.Settings;
import io.flamespan.correlation.internal.localroot.LocalRoot;
import io.flamespan.correlation.internal.localroot.LocalRootSpans;
import io.flamespan.correlation.internal.log.RateLimitedLogger;
import java.util.concurrent.atomic.AtomicLong;

/** Adds samples to local root spans, wherever they come from. Thread-safe. */
public final class ArrivedSamples {
  private final LocalRootSpans localRoots;
  private final int maxStackTraceIds;
  private final AtomicLong dropped = new AtomicLong();
  private final RateLimitedLogger limitLogger = new RateLimitedLogger(ArrivedSamples.class);

  /**
   * Adds to these spans.
   *
   * @param maxStackTraceIds the maximum number of ids of a span, repetitions included
   */
  public ArrivedSamples(LocalRootSpans localRoots, int maxStackTraceIds) {
    this.localRoots = localRoots;
    this.maxStackTraceIds = maxStackTraceIds;
  }

  /** Returns how many stack trace ids were above the limit of their span. */
  public long dropped() {
    return dropped.get();
  }

  /** Adds samples of one stack trace. Returns false if the span is unknown or accepts none. */
  boolean add(
      long traceIdHigh,
      long traceIdLow,
      long localRootSpanId,
      long stackTraceIdHigh,
      long stackTraceIdLow,
      int count) {
    LocalRoot root = localRoots.find(traceIdHigh, traceIdLow, localRootSpanId);
    int added =
        root == null
            ? LocalRoot.FROZEN
            : root.add(stackTraceIdHigh, stackTraceIdLow, count, maxStackTraceIds);
    if (added == LocalRoot.FROZEN) {
      return false;
    }
    if (added < count) {
      dropped.addAndGet(count - added);
      limitLogger.warn(
          "A local root span has as many stack trace ids as it may have, "
              + maxStackTraceIds
              + "; further ones are dropped. Raise "
              + Settings.MAX_STACK_TRACE_IDS);
    }
    return true;
  }
}

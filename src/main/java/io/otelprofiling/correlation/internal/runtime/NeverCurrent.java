/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.runtime;

import io.opentelemetry.sdk.trace.ReadableSpan;
import io.otelprofiling.correlation.internal.localroot.LocalRoot;
import io.otelprofiling.correlation.internal.log.Trouble;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Notices a framework that keeps its spans to itself: neither they nor spans below them are ever
 * current on a thread, so no profiler can see what works for them. Says so once.
 *
 * <p>Some such spans are usual, as those that describe what is over. Hence only many in a row
 * count, of which each lasts long enough to be worth a sample.
 */
final class NeverCurrent {
  private static final int IN_A_ROW = 16;
  private static final long MIN_NANOS = 1_000_000;

  // Written for each span only where spans are never current, so threads do not compete for it.
  private final AtomicInteger inARow = new AtomicInteger();

  /** Must be called when a local root span has ended. */
  void onEnd(LocalRoot root, ReadableSpan span) {
    int before = inARow.get();
    if (before >= IN_A_ROW) {
      return;
    }
    boolean counts =
        !root.wasCurrent()
            && span.getSpanContext().isSampled()
            && span.getLatencyNanos() >= MIN_NANOS;
    if (!counts) {
      if (before > 0) {
        inARow.compareAndSet(before, 0);
      }
    } else if (inARow.incrementAndGet() == IN_A_ROW) {
      Trouble.warn(
          LocalRootTracker.class,
          "The last "
              + IN_A_ROW
              + " local root spans were never current on a thread, so profilers cannot see what works"
              + " for them. Let the framework pass contexts on to its threads:"
              + " spring.reactor.context-propagation=auto for Spring WebFlux, asContextElement for"
              + " coroutines, Context.taskWrapping for executors");
    }
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.stress;

import io.flamespan.correlation.testing.EndProcessor;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadableSpan;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts all spans, how often each watched span arrives, and spans that arrive after its shutdown.
 * Like an exporting processor, it treats those as lost.
 */
final class WatchedProcessor implements EndProcessor {
  static final String WATCHED = "watched";

  final AtomicLong ended = new AtomicLong();
  final AtomicInteger refusedRoots = new AtomicInteger();
  private final Map<String, Integer> arrivals = new ConcurrentHashMap<>();
  private volatile boolean shutDown;

  @Override
  public void onEnd(ReadableSpan span) {
    if (shutDown) {
      refusedRoots.incrementAndGet();
      return;
    }
    ended.incrementAndGet();
    if (span.getName().equals(WATCHED)) {
      arrivals.merge(span.getSpanContext().getSpanId(), 1, Integer::sum);
    }
  }

  /** Returns how often the span has arrived so far, and stops watching it. */
  int takeArrivals(String spanId) {
    Integer count = arrivals.remove(spanId);
    return count == null ? 0 : count;
  }

  @Override
  public CompletableResultCode shutdown() {
    shutDown = true;
    return CompletableResultCode.ofSuccess();
  }
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.examples.flamegraphs.model;

/** What the join and the page need of a span. */
public record ReceivedSpan(
    SpanKey key,
    long parentSpanId,
    int flags,
    String name,
    Service service,
    long startNanos,
    long endNanos,
    boolean failed,
    int stackTraceIds) {

  /** For {@link #stackTraceIds} if the span has no such attribute. */
  public static final int NO_STACK_TRACE_IDS = -1;

  public long durationNanos() {
    return Math.max(0, endNanos - startNanos);
  }
}

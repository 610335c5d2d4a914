/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.model;

import io.flamespan.page.timeline.Exact;
import io.opentelemetry.proto.trace.v1.Span.SpanKind;
import java.util.Map;

/**
 * The part of a span that the join and the page need.
 *
 * @param attributes see {@link FewValues}
 */
public record ReceivedSpan(
    SpanKey key,
    long parentSpanId,
    int flags,
    SpanKind kind,
    String name,
    Service service,
    long startNanos,
    long endNanos,
    boolean failed,
    int stackTraceIds,
    Exact exact,
    Map<String, String> attributes) {

  private static final long YEAR_2000 = 946_684_800_000_000_000L;

  /** The value of {@link #stackTraceIds} if the span does not have the attribute. */
  public static final int NO_STACK_TRACE_IDS = -1;

  /** Whether a span can have its times. */
  public boolean hasTimes() {
    return startNanos >= YEAR_2000 && endNanos >= startNanos;
  }

  /** 0 if it is unknown. */
  public long durationNanos() {
    return hasTimes() ? endNanos - startNanos : 0;
  }
}

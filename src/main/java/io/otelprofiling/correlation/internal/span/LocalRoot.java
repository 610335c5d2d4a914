/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.span;

import io.opentelemetry.api.trace.SpanContext;
import io.otelprofiling.correlation.internal.id.HexIds;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A local root span: one without parent, or with a parent in another process. Knows its ids, not
 * the span, which an unfinished trace must not keep alive. Collects stack trace ids until it is
 * frozen. Safe for use by many threads.
 */
public final class LocalRoot {
  private final long traceIdHigh;
  private final long traceIdLow;
  private final long spanId;
  private final boolean sampled;

  private @Nullable StackTraceIds collected;
  private @Nullable List<String> frozen;

  LocalRoot(SpanContext context) {
    String traceId = context.getTraceId();
    this.traceIdHigh = HexIds.parseLong(traceId, 0);
    this.traceIdLow = HexIds.parseLong(traceId, 16);
    this.spanId = HexIds.parseLong(context.getSpanId(), 0);
    this.sampled = context.isSampled();
  }

  public long traceIdHigh() {
    return traceIdHigh;
  }

  public long traceIdLow() {
    return traceIdLow;
  }

  public long spanId() {
    return spanId;
  }

  /**
   * Counts samples of one stack trace.
   *
   * @return false if this root takes none: it has been sent on, or never will be
   */
  public synchronized boolean add(long stackTraceIdHigh, long stackTraceIdLow, int count) {
    if (frozen != null || !sampled) {
      return false;
    }
    if (count > 0) {
      if (collected == null) {
        collected = new StackTraceIds();
      }
      collected.add(stackTraceIdHigh, stackTraceIdLow, count);
    }
    return true;
  }

  /** Ends the collection. Every call returns the same ids, so that all exporters see the same. */
  synchronized List<String> freeze() {
    if (frozen == null) {
      frozen = collected == null ? Collections.emptyList() : collected.toList();
      collected = null;
    }
    return frozen;
  }
}

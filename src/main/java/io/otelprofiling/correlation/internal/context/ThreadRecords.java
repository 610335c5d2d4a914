/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.context;

import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.otelprofiling.correlation.internal.protocol.HexIds;
import io.otelprofiling.correlation.internal.protocol.ShownSpan;
import io.otelprofiling.correlation.internal.protocol.ThreadContext;
import io.otelprofiling.correlation.internal.protocol.ThreadStorage;
import org.jspecify.annotations.Nullable;

/**
 * The records of one thread, one for each protocol. Every change goes to both of them at once, so
 * that readers of different protocols see the same. Used by the thread that owns them only.
 */
final class ThreadRecords {
  private final ShownSpan ids;
  private final @Nullable ThreadContext context;
  private final ContextAttributes attributes;
  private long droppedSpanId;

  /** Takes over the record of a thread that has no thread context. */
  ThreadRecords(ThreadStorage storage) {
    this.ids = storage;
    this.context = null;
    this.attributes = ContextAttributes.NONE;
  }

  /** Takes over both records. */
  ThreadRecords(ThreadContext context, ContextAttributes attributes) {
    this.ids = context;
    this.context = context;
    this.attributes = attributes;
  }

  /** Returns what writes the ids, for all changes by which the attributes stay what they are. */
  ShownSpan ids() {
    return ids;
  }

  /** Returns whether spans are shown with attributes. */
  boolean showAttributes() {
    return context != null && !attributes.isEmpty();
  }

  /** Returns whether what is to be shown of a span depends on more than its ids. */
  boolean showSpanAttributes() {
    return context != null && attributes.varyBySpan();
  }

  /**
   * Shows a span, whatever was shown before, with its attributes. Only called if {@link
   * #showAttributes}.
   *
   * @param span null if only its ids are known
   */
  @SuppressWarnings("NullAway") // where there are attributes, there is a context
  void showSpan(
      byte flags,
      long traceIdHigh,
      long traceIdLow,
      long localRootSpanId,
      long spanId,
      @Nullable ReadableSpan span,
      @Nullable Context current) {
    context.beginSpan();
    attributes.write(context, localRootSpanId, span, current);
    context.showBegunSpan(flags, traceIdHigh, traceIdLow, spanId, localRootSpanId);
  }

  /**
   * Shows a span that the sampler dropped. Elastic's protocol shows no trace for it, because it has
   * no local root span that is exported; OTEP 4947 shows such spans with their flags.
   */
  void showDroppedSpan(SpanContext span) {
    if (context == null) {
      ids.showNoTrace();
    } else {
      context.beginSpan();
      context.setAttributesSize(0);
      String traceId = span.getTraceId();
      droppedSpanId = HexIds.parseLong(span.getSpanId(), 0);
      context.showUnrecordedSpan(
          span.getTraceFlags().asByte(),
          HexIds.parseLong(traceId, 0),
          HexIds.parseLong(traceId, 16),
          droppedSpanId);
    }
  }

  /** Shows no trace, if this span, or a dropped one, was the last one that was written. */
  void showNoTraceInPlaceOf(long spanId) {
    ids.showNoTraceInPlaceOf(spanId);
    if (context != null) {
      context.showNoTraceInPlaceOf(droppedSpanId);
    }
  }
}

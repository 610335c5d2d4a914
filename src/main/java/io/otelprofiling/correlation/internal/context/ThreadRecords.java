/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.context;

import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.otelprofiling.correlation.internal.localroot.LocalRoot;
import io.otelprofiling.correlation.internal.protocol.HexIds;
import io.otelprofiling.correlation.internal.protocol.ThreadContext;
import io.otelprofiling.correlation.internal.protocol.ThreadStorage;
import org.jspecify.annotations.Nullable;

/**
 * The records of one thread, one for each protocol. Every change goes to both of them at once, so
 * that readers of different protocols see the same. Used by the thread that owns them only.
 */
final class ThreadRecords {
  private final ThreadStorage storage;
  private final @Nullable ThreadContext context;
  private final ContextAttributes attributes;
  private long unrecordedSpanId;

  /**
   * Takes over the records.
   *
   * @param context null if the thread context is off
   */
  ThreadRecords(
      ThreadStorage storage, @Nullable ThreadContext context, ContextAttributes attributes) {
    this.storage = storage;
    this.context = context;
    this.attributes = attributes;
  }

  /** Returns whether what is to be shown of a span depends on more than its ids. */
  boolean showSpanAttributes() {
    return context != null && attributes.varyBySpan();
  }

  /** Shows a recorded span, whatever was shown before. */
  void showSpan(
      byte flags, LocalRoot root, long spanId, ReadableSpan span, @Nullable Context current) {
    if (context == null) {
      storage.showSpan(flags, root.traceIdHigh(), root.traceIdLow(), spanId, root.spanId());
      return;
    }
    context.beginSpan();
    if (!attributes.isEmpty()) {
      attributes.write(context, root.spanId(), span, current);
    }
    context.showSpan(storage, flags, root.traceIdHigh(), root.traceIdLow(), spanId, root.spanId());
  }

  /** Shows a recorded span of the trace that was shown last, whether or not it is still shown. */
  void showSpanOfLastTrace(long spanId, ReadableSpan span, @Nullable Context current) {
    storage.showSpanOfLastTrace(spanId);
    if (context != null) {
      if (attributes.varyBySpan()) {
        context.invalidate();
        attributes.writeAgain(context, span, current);
      }
      context.showSpanOfLastTrace(spanId);
    }
  }

  /** Does the same if there are no attributes that vary by span. */
  void showSpanOfLastTrace(long spanId) {
    if (context == null) {
      storage.showSpanOfLastTrace(spanId);
    } else {
      context.showSpanOfLastTrace(storage, spanId);
    }
  }

  /** Does the same if, further, the trace is still shown. */
  void changeSpan(long spanId) {
    if (context == null) {
      storage.changeSpan(spanId);
    } else {
      context.changeSpan(storage, spanId);
    }
  }

  /**
   * Shows a span that the sampler dropped. Elastic's protocol shows no trace for it, because it has
   * no local root span that is exported; OTEP 4947 shows such spans with their flags.
   */
  void showUnrecordedSpan(SpanContext span) {
    if (context == null) {
      storage.showNoTrace();
    } else {
      context.beginSpan();
      context.setAttributesSize(0);
      String traceId = span.getTraceId();
      unrecordedSpanId = HexIds.parseLong(span.getSpanId(), 0);
      context.showSpanHereOnly(
          storage,
          span.getTraceFlags().asByte(),
          HexIds.parseLong(traceId, 0),
          HexIds.parseLong(traceId, 16),
          unrecordedSpanId);
    }
  }

  /** Shows no trace. */
  void showNoTrace() {
    if (context == null) {
      storage.showNoTrace();
    } else {
      context.showNoTrace(storage);
    }
  }

  /** Shows no trace, after a failure that may have left the records half written. */
  void showNoTraceAfterFailure() {
    storage.showNoTraceAndValidate();
    if (context != null) {
      context.invalidateAll();
    }
  }

  /** Shows no trace, if this span, or an unrecorded one, was the last one that was written. */
  void showNoTraceInPlaceOf(long spanId) {
    storage.showNoTraceInPlaceOf(spanId);
    if (context != null) {
      context.showNoTraceInPlaceOf(spanId);
      context.showNoTraceInPlaceOf(unrecordedSpanId);
    }
  }
}

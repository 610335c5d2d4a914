/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.context;

import io.flamespan.correlation.internal.localroot.LocalRootTraceState;
import io.flamespan.correlation.internal.protocol.ElasticThreadRecord;
import io.flamespan.correlation.internal.protocol.HexIds;
import io.flamespan.correlation.internal.protocol.OtelThreadRecord;
import io.flamespan.correlation.internal.protocol.ThreadRecord;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.ReadableSpan;
import org.jspecify.annotations.Nullable;

/**
 * Writes the records of one thread. {@link #ids} covers what nearly all switches need. This class
 * adds what is rare or slow: attributes, and spans that the sampler dropped. Every change applies
 * to the records of both protocols at once. Used only by the thread that owns the records.
 */
final class RecordWriter {
  private final ThreadRecord ids;
  private final @Nullable OtelThreadRecord context;
  private final OtelAttributes attributes;
  private final @Nullable NotSampledNames names; // null unless native code reads them
  private long droppedSpanId;

  /** Takes over the record of a thread that does not have a thread context. */
  RecordWriter(ElasticThreadRecord elasticRecord) {
    this.ids = elasticRecord;
    this.context = null;
    this.attributes = OtelAttributes.NONE;
    this.names = null;
  }

  /**
   * Takes over both records.
   *
   * @param names of a virtual thread
   */
  RecordWriter(
      OtelThreadRecord context, OtelAttributes attributes, @Nullable NotSampledNames names) {
    this.ids = context;
    this.context = context;
    this.attributes = attributes;
    this.names = names;
  }

  /** Returns the writer of the ids, for all changes that keep the attributes. */
  ThreadRecord ids() {
    return ids;
  }

  /** Returns whether spans are shown with attributes. */
  boolean showAttributes() {
    return context != null && !attributes.isEmpty();
  }

  /** Returns whether the attributes to show depend on more than the ids of a span. */
  boolean showSpanAttributes() {
    return context != null && attributes.varyBySpan();
  }

  /**
   * Shows a span with its attributes, whatever was shown before. Only called if {@link
   * #showAttributes}.
   *
   * @param span null if only its ids are known
   */
  @SuppressWarnings("NullAway") // a thread with attributes has a thread context
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
   * Shows a span that the sampler dropped. Elastic's protocol shows no trace for it, because its
   * local root span is not exported. OTEP 4947 shows such spans with their flags.
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
      if (names != null) {
        String name = LocalRootTraceState.nameOfNotSampled(span.getTraceState());
        context.noteUnrecordedRoot(names.numberOf(name));
      }
    }
  }

  /** Shows no trace if the last span written was this one, or a dropped one. */
  void showNoTraceInPlaceOf(long spanId) {
    ids.showNoTraceInPlaceOf(spanId);
    if (context != null) {
      context.showNoTraceInPlaceOf(droppedSpanId);
    }
  }
}

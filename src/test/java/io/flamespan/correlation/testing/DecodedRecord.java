/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.testing;

import io.flamespan.correlation.internal.nativelib.NativeBridge;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;

/** A thread's record, decoded as in the protocol document. Offsets are literals on purpose. */
public record DecodedRecord(
    int minorVersion,
    int valid,
    int tracePresent,
    int traceFlags,
    String traceId,
    String spanId,
    String transactionId) {

  /** Returns the record of the calling thread. */
  public static DecodedRecord ofCurrentThread() {
    return decode(NativeBridge.threadRecord0());
  }

  public static DecodedRecord decode(ByteBuffer memory) {
    byte[] bytes = new byte[37];
    memory.duplicate().get(bytes);
    HexFormat hex = HexFormat.of();
    return new DecodedRecord(
        ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).getShort(0),
        bytes[2],
        bytes[3],
        bytes[4],
        hex.formatHex(bytes, 5, 21),
        hex.formatHex(bytes, 21, 29),
        hex.formatHex(bytes, 29, 37));
  }

  /** Returns whether this is a complete record whose {@link RelatedIds} belong together. */
  public boolean belongsTogether() {
    return minorVersion == 1
        && valid == 1
        && tracePresent == 1
        && (traceFlags & 1) == 1
        && RelatedIds.belongTogether(traceId, spanId, transactionId);
  }

  public boolean showsNoTrace() {
    return minorVersion == 1 && valid != 0 && tracePresent == 0;
  }

  /** Returns whether this is the complete record of the span and its local root. */
  public boolean shows(Span span, Span localRoot) {
    SpanContext context = span.getSpanContext();
    return minorVersion == 1
        && valid != 0
        && tracePresent == 1
        && traceFlags == context.getTraceFlags().asByte()
        && traceId.equals(context.getTraceId())
        && spanId.equals(context.getSpanId())
        && transactionId.equals(localRoot.getSpanContext().getSpanId());
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.model;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** The ids of a span. */
public record SpanKey(long traceHigh, long traceLow, long span) {
  static final int TRACE_ID_SIZE = 16;
  static final int SPAN_ID_SIZE = 8;

  /** Null if an id is missing, has another length, or is zero. */
  static @Nullable SpanKey of(byte[] traceId, byte[] spanId) {
    if (traceId.length != TRACE_ID_SIZE || spanId.length != SPAN_ID_SIZE) {
      return null;
    }
    long high = ByteBuffer.wrap(traceId).getLong(0);
    long low = ByteBuffer.wrap(traceId).getLong(Long.BYTES);
    long span = ByteBuffer.wrap(spanId).getLong(0);
    return of(high, low, span);
  }

  /** Null if an id is zero. */
  static @Nullable SpanKey of(long traceHigh, long traceLow, long span) {
    return (traceHigh | traceLow) == 0 || span == 0 ? null : new SpanKey(traceHigh, traceLow, span);
  }

  // As those of any record, but without the time until these are compiled.
  @Override
  public boolean equals(Object other) {
    return other instanceof SpanKey key
        && traceHigh == key.traceHigh
        && traceLow == key.traceLow
        && span == key.span;
  }

  @Override
  public int hashCode() {
    return 31 * (31 * Long.hashCode(traceHigh) + Long.hashCode(traceLow)) + Long.hashCode(span);
  }

  SpanKey withSpan(long spanId) {
    return new SpanKey(traceHigh, traceLow, spanId);
  }

  SpanKey trace() {
    return withSpan(0);
  }

  public String traceId() {
    return HexFormat.of().toHexDigits(traceHigh) + HexFormat.of().toHexDigits(traceLow);
  }

  public String spanId() {
    return HexFormat.of().toHexDigits(span);
  }
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.page.model;

import com.google.protobuf.ByteString;
import java.util.HexFormat;

/** The ids of a span. */
public record SpanKey(long traceHigh, long traceLow, long span) {
  private static final int TRACE_ID_SIZE = 16;
  private static final int SPAN_ID_SIZE = 8;

  /** Null if an id is missing, has another length, or is zero. */
  static SpanKey of(ByteString traceId, ByteString spanId) {
    if (traceId.size() != TRACE_ID_SIZE || spanId.size() != SPAN_ID_SIZE) {
      return null;
    }
    long high = traceId.asReadOnlyByteBuffer().getLong(0);
    long low = traceId.asReadOnlyByteBuffer().getLong(Long.BYTES);
    long span = spanId.asReadOnlyByteBuffer().getLong(0);
    return (high | low) == 0 || span == 0 ? null : new SpanKey(high, low, span);
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

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.embedded;

import org.jspecify.annotations.Nullable;

/** What a thread works for: a local root span, and the active span below or equal to it. */
public final class Work {
  /** What a carrier works for if that is not known. */
  public static final Work UNKNOWN = new Work(0, 0, 0, 0);

  public final long traceIdHigh;
  public final long traceIdLow;
  public final long localRootSpanId;
  public final long spanId;

  /** Creates the ids of a span whose local root span was sampled. */
  public Work(long traceIdHigh, long traceIdLow, long localRootSpanId, long spanId) {
    this.traceIdHigh = traceIdHigh;
    this.traceIdLow = traceIdLow;
    this.localRootSpanId = localRootSpanId;
    this.spanId = spanId;
  }

  /** Returns whether both have the same ids. */
  public boolean isSame(@Nullable Work other) {
    return other != null
        && other.traceIdHigh == traceIdHigh
        && other.traceIdLow == traceIdLow
        && other.localRootSpanId == localRootSpanId
        && other.spanId == spanId;
  }
}

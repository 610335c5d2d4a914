/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.embedded;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a thread works for: a local root span, and the active span below or equal to it; or a local
 * root span that is not sampled, of which only the name is known.
 */
public final class Work {
  /** What a carrier works for if that is not known. */
  public static final Work UNKNOWN = new Work(0, 0, 0, 0);

  public final long traceIdHigh;
  public final long traceIdLow;
  public final long localRootSpanId;
  public final long spanId;

  /**
   * The name of a local root span that is not sampled, as the sampler saw it, which is empty if it
   * is not known; or null.
   */
  public final @Nullable String notSampled;

  /** Creates the ids of a span whose local root span was sampled. */
  public Work(long traceIdHigh, long traceIdLow, long localRootSpanId, long spanId) {
    this(traceIdHigh, traceIdLow, localRootSpanId, spanId, null);
  }

  private Work(
      long traceIdHigh,
      long traceIdLow,
      long localRootSpanId,
      long spanId,
      @Nullable String notSampled) {
    this.traceIdHigh = traceIdHigh;
    this.traceIdLow = traceIdLow;
    this.localRootSpanId = localRootSpanId;
    this.spanId = spanId;
    this.notSampled = notSampled;
  }

  /** Creates the work for a local root span with this name that is not sampled. */
  public static Work notSampled(String name) {
    return new Work(0, 0, 0, 0, name);
  }

  /** Returns the work if it is for a request that is sampled, and null otherwise. */
  public static @Nullable Work ofSampled(@Nullable Work work) {
    return work == null || work.notSampled != null ? null : work;
  }

  /** Returns whether both have the same ids, or the same name if neither is sampled. */
  public boolean isSame(@Nullable Work other) {
    return other != null
        && other.traceIdHigh == traceIdHigh
        && other.traceIdLow == traceIdLow
        && other.localRootSpanId == localRootSpanId
        && other.spanId == spanId
        && Objects.equals(other.notSampled, notSampled);
  }
}

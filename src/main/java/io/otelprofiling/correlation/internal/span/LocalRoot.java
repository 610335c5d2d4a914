/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.span;

import io.opentelemetry.api.trace.SpanContext;
import io.otelprofiling.correlation.internal.id.HexIds;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A local root span: one without parent, or with a parent in another process. Knows its ids, not
 * the span, which an unfinished trace must not keep alive. Collects stack trace ids until it is
 * frozen. Safe for use by many threads.
 *
 * <p>Applications that have a million of these wait for their samples exist: fields count.
 */
public final class LocalRoot {
  /** The result of {@link #add} after the collection has ended. */
  public static final int FROZEN = -1;

  static final byte NO_PLACE = -1;

  private final String traceId;
  private final long traceIdHigh;
  private final long traceIdLow;
  private final long spanId;
  private @Nullable StackTraceIds samples;

  /** What holds it, see {@link SpanStripe}, under the lock of which this is read and written. */
  short holds = SpanStripe.HELD_BY_SPAN;

  /** Its place among the owners of equal trace ids. Written before others see this root. */
  byte place = NO_PLACE;

  LocalRoot(SpanContext context) {
    this(context, context.isSampled() ? null : StackTraceIds.NONE);
  }

  private LocalRoot(SpanContext context, @Nullable StackTraceIds samples) {
    this.traceId = context.getTraceId();
    this.traceIdHigh = HexIds.parseLong(traceId, 0);
    this.traceIdLow = HexIds.parseLong(traceId, 16);
    this.spanId = HexIds.parseLong(context.getSpanId(), 0);
    this.samples = samples;
  }

  /** Creates a local root that accepts no samples any more. */
  static LocalRoot ofReleased(SpanContext context) {
    return new LocalRoot(context, StackTraceIds.NONE);
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

  String traceId() {
    return traceId;
  }

  /** Returns whether spans with this very string as trace id may be below this root. */
  @SuppressWarnings("ReferenceEquality") // which is what tells its spans from others of the trace
  boolean hasString(String traceId) {
    return this.traceId == traceId;
  }

  /**
   * Counts samples of one stack trace.
   *
   * @param max how many samples this root may have in all
   * @return how many of {@code count} were added, or {@link #FROZEN} if this root takes none: it
   *     has been sent on, or never will be
   */
  public synchronized int add(long stackTraceIdHigh, long stackTraceIdLow, int count, int max) {
    if (isFrozen()) {
      return FROZEN;
    }
    if (samples == null) {
      samples = new StackTraceIds();
    }
    return samples.add(stackTraceIdHigh, stackTraceIdLow, count, max);
  }

  /** Ends the collection. Every call returns the same ids, so that all exporters see the same. */
  synchronized List<String> freeze() {
    if (samples == null) {
      samples = StackTraceIds.NONE;
    }
    return samples.freeze();
  }

  /** Returns whether its collection has ended, or there never was one. */
  synchronized boolean isFrozen() {
    return samples != null && samples.isFrozen();
  }

  /** Drops its samples, because threads may refer to it for long. */
  synchronized void dropSamples() {
    samples = StackTraceIds.NONE;
  }
}

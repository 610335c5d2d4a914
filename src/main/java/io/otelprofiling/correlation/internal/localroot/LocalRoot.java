/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.localroot;

import io.opentelemetry.api.trace.SpanContext;
import io.otelprofiling.correlation.internal.protocol.HexIds;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The ids of a local root span, which has no parent or a remote one, and the stack trace ids that
 * were counted for it. It does not refer to the span, because an unfinished trace must not keep it
 * alive. Thread-safe.
 */
public final class LocalRoot extends RetainedEntry {
  /** The result of {@link #add} after the collection has ended. */
  public static final int FROZEN = -1;

  private final SpanContext context;
  private final long traceIdHigh;
  private final long traceIdLow;
  private final long spanId;
  private volatile @Nullable StackTraceIds samples; // written under the monitor

  private volatile boolean stringShared;

  /** Whether none of its children was ever counted. Written while the root is opened. */
  boolean stringSharedFromBirth;

  LocalRoot(SpanContext context) {
    this(context, context.isSampled() ? null : StackTraceIds.NONE);
  }

  private LocalRoot(SpanContext context, @Nullable StackTraceIds samples) {
    this.context = context;
    String traceId = context.getTraceId();
    this.traceIdHigh = HexIds.parseLong(traceId, 0);
    this.traceIdLow = HexIds.parseLong(traceId, 16);
    this.spanId = HexIds.parseLong(context.getSpanId(), 0);
    this.samples = samples;
  }

  /** Creates a local root that accepts no samples. */
  public static LocalRoot ofReleased(SpanContext context) {
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
    return context.getTraceId();
  }

  /** Returns whether this is the span with these ids. */
  @SuppressWarnings("ReferenceEquality") // the usual case, in which no ids need to be compared
  boolean is(SpanContext span) {
    return context == span
        || (HexIds.parseLong(span.getSpanId(), 0) == spanId
            && context.getTraceId().equals(span.getTraceId()));
  }

  /** Returns whether the string is the object that was made for this root, or received by it. */
  @SuppressWarnings("ReferenceEquality") // distinguishes its spans from others of the trace
  public boolean hasString(String traceId) {
    return context.getTraceId() == traceId;
  }

  /** Returns whether this root is known, and every span with its string object belongs to it. */
  public boolean ownsString() {
    return ownsTraceId && !stringShared && !isEvicted();
  }

  /** Returns whether another local root has, or may have, the same string object. */
  boolean isStringShared() {
    return stringShared;
  }

  void shareString() {
    stringShared = true;
  }

  boolean isFirstOfTrace() {
    return ownsTraceId && key == 0;
  }

  /**
   * Counts samples of one stack trace.
   *
   * @param max how many samples this root may have in all
   * @return how many of {@code count} were added, or {@link #FROZEN} if this root accepts none: it
   *     has been passed on, or never will be
   */
  public synchronized int add(long stackTraceIdHigh, long stackTraceIdLow, int count, int max) {
    if (isFrozen()) {
      return FROZEN;
    }
    StackTraceIds samples = this.samples;
    if (samples == null) {
      samples = new StackTraceIds();
      this.samples = samples;
    }
    return samples.add(stackTraceIdHigh, stackTraceIdLow, count, max);
  }

  /** Ends the collection. Every call returns the same ids, so that all exporters see the same. */
  public synchronized List<String> freeze() {
    StackTraceIds samples = this.samples;
    if (samples == null) {
      samples = StackTraceIds.NONE;
      this.samples = samples;
    }
    return samples.freeze();
  }

  /** Returns whether the collection has ended, or there never was one. */
  public boolean isFrozen() {
    StackTraceIds samples = this.samples;
    return samples != null && samples.isFrozen();
  }

  /** Drops the samples, because threads may refer to this root for long. */
  synchronized void dropSamples() {
    samples = StackTraceIds.NONE;
  }
}

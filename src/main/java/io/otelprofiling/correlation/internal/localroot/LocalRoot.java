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

  /** The {@link #place} of a local root that is in no table. */
  static final byte NOWHERE = -1;

  /** The {@link #place} in the {@link SpanTable} of spans, under its span id. */
  static final byte BY_SPAN_ID = -2;

  /** The {@link #place} in {@link FirstOfTrace}. */
  static final byte FIRST_OF_TRACE = -3;

  private final SpanContext context;
  private final long traceIdHigh;
  private final long traceIdLow;
  private final long spanId;
  private volatile @Nullable StackTraceIds samples; // written under the monitor

  /**
   * Where its entry is. From 0 on, it is one of the places that a trace id has in a table of
   * further local roots. Written before other threads find it there. A byte, from which the key
   * follows, because a million local roots may wait and a key would make each of them eight bytes
   * larger.
   */
  byte place = NOWHERE;

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

  /**
   * Returns the key of its own entry in a {@link SpanTable}, or {@link SpanTable#NO_KEY} if it has
   * none. Spans below it have entries with other keys.
   */
  long key() {
    return place == NOWHERE || place == FIRST_OF_TRACE ? SpanTable.NO_KEY : keyAt(place);
  }

  /** Returns the key that its own entry has at this place in a {@link SpanTable}. */
  long keyAt(byte place) {
    return SpanTable.key(place == BY_SPAN_ID ? spanId : place, traceId());
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
    return ownsTraceId() && !stringShared && !isEvicted();
  }

  /** Returns whether another local root has, or may have, the same string object. */
  boolean isStringShared() {
    return stringShared;
  }

  void shareString() {
    stringShared = true;
  }

  /** Returns whether it is found by its trace id only, and not by its span id. */
  boolean ownsTraceId() {
    return place >= 0 || place == FIRST_OF_TRACE;
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

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.localroot;

import io.opentelemetry.api.trace.SpanContext;
import io.otelprofiling.correlation.internal.protocol.HexIds;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * A local root span: one without parent, or with a parent in another process. Knows its ids, not
 * the span, which an unfinished trace must not keep alive. Collects stack trace ids until it is
 * frozen. Safe for use by many threads.
 *
 * <p>It is held by each of its spans that has not ended and is not known by itself, the local root
 * span included, and by each processor in which it waits. Applications that have a million of these
 * wait for their samples exist: fields count.
 */
public final class LocalRoot {
  /** The result of {@link #add} after the collection has ended. */
  public static final int FROZEN = -1;

  /** What a span that has not ended is counted as, up to sixteen million. */
  static final int BY_SPAN = 1;

  /** What a processor in which it waits is counted as, up to a hundred and twenty-seven. */
  static final int BY_PROCESSOR = 1 << 24;

  private static final int FORGOTTEN = -1;

  private static final AtomicIntegerFieldUpdater<LocalRoot> HOLDS =
      AtomicIntegerFieldUpdater.newUpdater(LocalRoot.class, "holds");

  private final SpanContext context;
  private final long traceIdHigh;
  private final long traceIdLow;
  private final long spanId;
  private volatile @Nullable StackTraceIds samples; // written under the monitor

  private volatile int holds = BY_SPAN;
  private volatile boolean stringShared;

  /** Whether none of its children was ever counted. Written before others see this root. */
  boolean stringSharedFromBirth;

  /** Its key in a {@link SpanTable}, 0 if it is in none. Written before others find it there. */
  long key;

  /** Whether it is known by its trace id, and not by its span id. Written with the key. */
  boolean ownsTraceId;

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
    return context.getTraceId();
  }

  /** Returns whether it is the span with these ids. */
  @SuppressWarnings("ReferenceEquality") // the usual case, without a look at the ids
  boolean is(SpanContext span) {
    return context == span
        || (HexIds.parseLong(span.getSpanId(), 0) == spanId
            && context.getTraceId().equals(span.getTraceId()));
  }

  /** Returns whether the string is the very one that was made for this root, or received by it. */
  @SuppressWarnings("ReferenceEquality") // which is what tells its spans from others of the trace
  public boolean hasString(String traceId) {
    return context.getTraceId() == traceId;
  }

  /** Returns whether every span that has its very string is one of this root, and that is known. */
  public boolean ownsString() {
    return ownsTraceId && !stringShared && holds != FORGOTTEN;
  }

  /** Returns whether another local root has the very same string. */
  boolean isStringShared() {
    return stringShared;
  }

  void shareString() {
    stringShared = true;
  }

  boolean isFirstOfTrace() {
    return ownsTraceId && key == 0;
  }

  /** Keeps it known. Returns false if it has been forgotten. */
  boolean hold(int by) {
    while (true) {
      int holds = this.holds;
      if (holds == FORGOTTEN) {
        return false;
      }
      if (HOLDS.compareAndSet(this, holds, holds + by)) {
        return true;
      }
    }
  }

  /** Undoes {@link #hold}. Returns whether nothing holds it now. */
  boolean letGo(int by) {
    while (true) {
      int holds = this.holds;
      int held = by == BY_SPAN && holds != FORGOTTEN ? holds & (BY_PROCESSOR - 1) : holds;
      if (held < by) {
        return false; // forgotten, or the end of a span whose start was not seen
      }
      if (HOLDS.compareAndSet(this, holds, holds - by)) {
        return holds == by;
      }
    }
  }

  /** Forgets it unless something holds it. Returns whether it did. */
  boolean forget() {
    return HOLDS.compareAndSet(this, 0, FORGOTTEN);
  }

  /** Forgets it unless it waits in a processor. Returns whether it is forgotten. */
  boolean displace() {
    while (true) {
      int holds = this.holds;
      if (holds >= BY_PROCESSOR) {
        return false;
      }
      if (HOLDS.compareAndSet(this, holds, FORGOTTEN)) {
        return true;
      }
    }
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
    StackTraceIds samples = this.samples;
    if (samples == null) {
      samples = new StackTraceIds();
      this.samples = samples;
    }
    return samples.add(stackTraceIdHigh, stackTraceIdLow, count, max);
  }

  /** Ends the collection. Every call returns the same ids, so that all exporters see the same. */
  synchronized List<String> freeze() {
    StackTraceIds samples = this.samples;
    if (samples == null) {
      samples = StackTraceIds.NONE;
      this.samples = samples;
    }
    return samples.freeze();
  }

  /** Returns whether its collection has ended, or there never was one. */
  boolean isFrozen() {
    StackTraceIds samples = this.samples;
    return samples != null && samples.isFrozen();
  }

  /** Drops its samples, because threads may refer to it for long. */
  synchronized void dropSamples() {
    samples = StackTraceIds.NONE;
  }
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.span;

import io.opentelemetry.api.trace.SpanContext;
import io.otelprofiling.correlation.internal.id.HexIds;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * A local root span: one without parent, or with a parent in another process. Knows its ids, not
 * the span, which an unfinished trace must not keep alive. Collects stack trace ids until it is
 * frozen. Safe for use by many threads.
 *
 * <p>It is held by each of its spans that has not ended, itself included, and by each processor in
 * which it waits. Applications that have a million of these wait for their samples exist: fields
 * count.
 */
public final class LocalRoot {
  private static final AtomicIntegerFieldUpdater<LocalRoot> HOLDS =
      AtomicIntegerFieldUpdater.newUpdater(LocalRoot.class, "holds");

  /** What a span that has not ended is counted as, up to sixteen million. */
  static final int BY_SPAN = 1;

  /** What a processor in which it waits is counted as, up to a hundred and twenty-seven. */
  static final int BY_PROCESSOR = 1 << 24;

  private static final int FORGOTTEN = -1;

  /** Of spans whose local root the sampler has dropped. */
  static final LocalRoot NOT_RECORDED = new LocalRoot(SpanContext.getInvalid());

  private final long traceIdHigh;
  private final long traceIdLow;
  private final long spanId;

  // The very string that the SDK hands on from each span to its children tells them from those of
  // other local roots of the same distributed trace. A weak reference to it once a sweep came by.
  private volatile Object traceId;
  private volatile int holds = BY_SPAN;
  private volatile @Nullable SharedTraceId shared;
  private @Nullable StackTraceIds samples;

  /** Another one with an equal trace id. Changed by {@link LocalRootSpans} only. */
  volatile @Nullable LocalRoot next;

  LocalRoot(SpanContext context) {
    String traceId = context.getTraceId();
    this.traceId = traceId;
    this.traceIdHigh = HexIds.parseLong(traceId, 0);
    this.traceIdLow = HexIds.parseLong(traceId, 16);
    this.spanId = HexIds.parseLong(context.getSpanId(), 0);
    this.samples = context.isSampled() ? null : StackTraceIds.NONE;
  }

  /** One that nobody asks for its samples any more. */
  static LocalRoot ofReleased(SpanContext context) {
    LocalRoot root = new LocalRoot(context);
    root.samples = StackTraceIds.NONE;
    return root;
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

  /**
   * Counts samples of one stack trace.
   *
   * @return false if this root takes none: it has been sent on, or never will be
   */
  public synchronized boolean add(long stackTraceIdHigh, long stackTraceIdLow, int count) {
    if (samples == null) {
      samples = new StackTraceIds();
    }
    return samples.add(stackTraceIdHigh, stackTraceIdLow, count);
  }

  /** Ends the collection. Every call returns the same ids, so that all exporters see the same. */
  synchronized List<String> freeze() {
    if (samples == null) {
      samples = StackTraceIds.NONE;
    }
    return samples.freeze();
  }

  /** Whether no more ids are taken. */
  synchronized boolean isFrozen() {
    return samples != null && samples.isFrozen();
  }

  /** Whether every span with this very string as trace id is one of this local root. */
  public boolean standsFor(String traceId) {
    return this.traceId == traceId && holds != FORGOTTEN && shared == null;
  }

  /** Whether it is the local root span with this context, and not another one of the trace. */
  boolean isItself(SpanContext context) {
    return spanId == HexIds.parseLong(context.getSpanId(), 0);
  }

  /** Whether its spans have this very string as trace id. */
  boolean hasTraceId(String traceId) {
    return referent(this.traceId) == traceId;
  }

  String traceId() {
    Object own = traceId;
    return own instanceof String ? (String) own : HexIds.toHex(traceIdHigh, traceIdLow);
  }

  /** The local root of a span that has this one's string as trace id. */
  LocalRoot rootOf(String spanId) {
    SharedTraceId shared = this.shared;
    LocalRoot other = shared == null ? null : shared.rootOf(spanId);
    return other == null ? this : other;
  }

  /** From now on, spans below another local root have the same string as trace id. */
  synchronized void share(LocalRoot other, SpanContext context, ReferenceQueue<Object> collected) {
    SharedTraceId shared = this.shared;
    if (shared == null) {
      shared = new SharedTraceId(this);
      this.shared = shared;
    }
    if (other != NOT_RECORDED) {
      other.shared = shared;
    }
    shared.add(other, context, collected);
  }

  boolean isShared() {
    SharedTraceId shared = this.shared;
    return shared != null && !shared.isEmpty();
  }

  int sharingSpanCount() {
    SharedTraceId shared = this.shared;
    return shared == null ? 0 : shared.size();
  }

  /** Returns false if it has been forgotten. */
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

  /** Returns whether nothing holds it now. */
  boolean letGo(int by) {
    while (true) {
      int holds = this.holds;
      // An end whose start was not seen takes nothing away.
      if (holds < by) {
        return false;
      }
      if (HOLDS.compareAndSet(this, holds, holds - by)) {
        return holds == by;
      }
    }
  }

  /** Forgets it unless it is held or shared. Returns whether this call did. */
  boolean forget() {
    if (isShared() || !HOLDS.compareAndSet(this, 0, FORGOTTEN)) {
      return false;
    }
    dropSamples(); // threads may refer to this for long
    return true;
  }

  private synchronized void dropSamples() {
    samples = StackTraceIds.NONE;
  }

  boolean isForgotten() {
    return holds == FORGOTTEN;
  }

  /**
   * Has it no longer keep its trace id alive, unless it waits in a processor, which lets go in any
   * case. Returns whether that begins now.
   */
  boolean weaken() {
    int holds = this.holds;
    if (holds == FORGOTTEN || holds >= BY_PROCESSOR || traceId instanceof WeakReference) {
      return false;
    }
    traceId = new WeakReference<>(traceId);
    return true;
  }

  /** Whether nobody can ask for it any more. */
  boolean isUnreachable() {
    return holds == FORGOTTEN || (referent(traceId) == null && !isShared());
  }

  private static @Nullable Object referent(Object traceId) {
    return traceId instanceof WeakReference ? ((WeakReference<?>) traceId).get() : traceId;
  }
}

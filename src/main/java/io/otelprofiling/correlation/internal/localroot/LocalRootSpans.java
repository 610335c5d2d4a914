/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.localroot;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.otelprofiling.correlation.internal.log.RateLimitedLogger;
import io.otelprofiling.correlation.internal.protocol.HexIds;
import java.util.concurrent.atomic.LongAdder;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Finds the local root span of every recording span of this process, and keeps no span alive. A
 * span is known until shortly after its end, and a local root span also while it waits in a
 * processor. Thread-safe. Finding the root of a known span allocates nothing.
 */
public final class LocalRootSpans {
  // Half of them are for local roots, so that all those in a queue of a million have room.
  private static final int MAX_SPANS = 1 << 21;
  private static final int OTHER_OWNERS = 3;

  private final FirstOfTrace firsts;
  private final SpanTable owners; // further roots, by trace id, and by place instead of span id
  private final SpanTable spans;
  private final LongAdder displaced = new LongAdder();
  private final RateLimitedLogger logger =
      new RateLimitedLogger(Logger.getLogger(LocalRootSpans.class.getName()));

  public LocalRootSpans() {
    this(MAX_SPANS);
  }

  LocalRootSpans(int maxSpans) {
    firsts = new FirstOfTrace(maxSpans / 2);
    owners = new SpanTable(maxSpans / 4);
    spans = new SpanTable(maxSpans / 4);
    // Initializes the class: if that fails, the plug-in stays off, instead of failing on each span.
    boolean unused = StackTraceIds.NONE.isFrozen();
  }

  /** Returns whether the span has no parent, or a remote one. */
  public static boolean isLocalRoot(ReadableSpan span) {
    SpanContext parent = span.getParentSpanContext();
    return parent.isRemote() || !parent.isValid();
  }

  /** To be called when a recording span starts, before it is used. */
  public void onStart(Context parentContext, ReadableSpan span) {
    if (isLocalRoot(span)) {
      open(span);
      return;
    }
    SpanContext context = span.getSpanContext();
    LocalRoot owner = owner(context.getTraceId());
    if (owner != null && owner.retain(LocalRoot.BY_SPAN)) {
      return;
    }
    LocalRoot root = rootOfParent(parentContext, span);
    if (root != null && !spans.add(spanId(context), root)) {
      spanDisplaced();
    }
  }

  /** To be called when a recording span has ended. */
  public void onEnd(ReadableSpan span) {
    SpanContext context = span.getSpanContext();
    String traceId = context.getTraceId();
    LocalRoot root = isLocalRoot(span) ? itself(context) : owner(traceId);
    if (root == null && spans.find(spanId(context), traceId) != null) {
      dropSamples(spans.end(spanId(context), traceId));
      return;
    }
    if (root == null) {
      root = countedOn(traceId);
    }
    if (root != null) {
      release(root, LocalRoot.BY_SPAN);
    }
  }

  /**
   * Finds the local root span of a recording span of this process.
   *
   * @return null if its start was not seen, its local root was not recorded, or it is no longer
   *     known
   */
  public @Nullable LocalRoot find(ReadableSpan span) {
    SpanContext context = span.getSpanContext();
    if (isLocalRoot(span)) {
      LocalRoot root = itself(context);
      // If it is no longer known, or belongs to another SDK, only its ids count.
      return root == null ? LocalRoot.ofReleased(context) : root;
    }
    LocalRoot root = owner(context.getTraceId());
    if (root == null) {
      root = spans.find(spanId(context), context.getTraceId());
    }
    if (root == null) {
      root = known(span.getParentSpanContext());
    }
    return root == null ? countedOn(context.getTraceId()) : root;
  }

  /** Finds the local root span with these ids. */
  public @Nullable LocalRoot find(long traceIdHigh, long traceIdLow, long spanId) {
    return itself(spanId, HexIds.toHex(traceIdHigh, traceIdLow));
  }

  /** Returns the entry of a local root span, or null if the span is none, or not known. */
  public @Nullable LocalRoot itself(SpanContext span) {
    LocalRoot first = firsts.find(span.getTraceId());
    return first != null && first.is(span) ? first : itself(spanId(span), span.getTraceId());
  }

  private @Nullable LocalRoot itself(long spanId, String traceId) {
    LocalRoot first = firsts.find(traceId);
    if (first != null && first.spanId() == spanId) {
      return first;
    }
    for (int place = 0; place < OTHER_OWNERS; place++) {
      LocalRoot root = owners.find(place, traceId);
      if (root != null && root.spanId() == spanId) {
        return root;
      }
    }
    LocalRoot root = spans.find(spanId, traceId);
    return root != null && root.spanId() == spanId ? root : null;
  }

  /** Retains a local root span while it waits in a processor, until {@link #release}. */
  public void retain(LocalRoot root) {
    // If it is evicted already, the caller's reference keeps it alive.
    boolean unused = root.retain(LocalRoot.BY_PROCESSOR);
  }

  /** Undoes {@link #retain}. */
  public void release(LocalRoot root) {
    release(root, LocalRoot.BY_PROCESSOR);
  }

  private void release(LocalRoot root, int by) {
    if (root.release(by)) {
      dropSamples(
          root.place == LocalRoot.FIRST_OF_TRACE
              ? firsts.evictLater(root)
              : (root.ownsTraceId() ? owners : spans).evictLater(root));
    }
  }

  /** Returns how many spans are unknown because too many others have not ended. */
  public long displaced() {
    return displaced.sum();
  }

  /**
   * Returns how many local root spans are known: those that have not ended or wait in a processor,
   * and some that have ended lately.
   */
  public int localRoots() {
    return firsts.size() + owners.size();
  }

  int size() {
    return firsts.size() + owners.size() + spans.size();
  }

  private static long spanId(SpanContext span) {
    return HexIds.parseLong(span.getSpanId(), 0);
  }

  private void open(ReadableSpan span) {
    LocalRoot root = new LocalRoot(span.getSpanContext());
    boolean received = span.getParentSpanContext().isValid();
    // One received context may be the parent of several roots, but not of two server spans.
    if (received && span.getKind() != SpanKind.SERVER) {
      root.shareString();
    }
    root.stringSharedFromBirth = received; // assumed while other threads may find the root already
    if (!own(root) && spans.claim(LocalRoot.BY_SPAN_ID, root) != null) {
      spanDisplaced();
    }
    if (received) {
      shareString(root);
    }
    root.stringSharedFromBirth = root.isStringShared();
  }

  private boolean own(LocalRoot root) {
    root.place = LocalRoot.FIRST_OF_TRACE;
    if (firsts.add(root)) {
      return true;
    }
    root.place = LocalRoot.NOWHERE;
    for (byte place = 0; place < OTHER_OWNERS; place++) {
      LocalRoot there = owners.claim(place, root);
      if (there == root) {
        spanDisplaced();
      }
      if (there == null || there == root) {
        return true;
      }
    }
    return false;
  }

  private void shareString(LocalRoot root) {
    shareString(root, firsts.find(root.traceId()));
    for (int place = 0; place < OTHER_OWNERS; place++) {
      shareString(root, owners.find(place, root.traceId()));
    }
  }

  private static void shareString(LocalRoot root, @Nullable LocalRoot other) {
    if (other != null && other != root && other.hasString(root.traceId())) {
      other.shareString();
      root.shareString();
    }
  }

  private @Nullable LocalRoot rootOfParent(Context parentContext, ReadableSpan span) {
    LocalRoot root = known(span.getParentSpanContext());
    if (root != null) {
      return root;
    }
    Span parent = Span.fromContext(parentContext);
    return parent instanceof ReadableSpan ? find((ReadableSpan) parent) : null;
  }

  /** Finds the local root of a span that has an entry of its own. */
  private @Nullable LocalRoot known(SpanContext span) {
    long spanId = spanId(span);
    LocalRoot root = spans.find(spanId, span.getTraceId());
    return root == null ? itself(spanId, span.getTraceId()) : root;
  }

  /**
   * Finds the local root by the string object of the trace id. The SDK passes this object from each
   * span to its children, also to those that the sampler drops, so a span that has it descends from
   * the root that it was made for.
   *
   * @return null if no root has it, or several may have it
   */
  private @Nullable LocalRoot owner(String traceId) {
    LocalRoot first = firsts.find(traceId);
    if (first != null && first.hasString(traceId)) {
      return first.isStringShared() ? null : first;
    }
    for (int place = 0; place < OTHER_OWNERS; place++) {
      LocalRoot root = owners.find(place, traceId);
      if (root != null && root.hasString(traceId)) {
        return root.isStringShared() ? null : root;
      }
    }
    return null;
  }

  /**
   * Finds the local root on which children were counted before its string object turned out to be
   * shared, and whose children have no entries of their own.
   */
  private @Nullable LocalRoot countedOn(String traceId) {
    LocalRoot first = firsts.find(traceId);
    if (first != null && first.hasString(traceId) && !first.stringSharedFromBirth) {
      return first;
    }
    for (int place = 0; place < OTHER_OWNERS; place++) {
      LocalRoot root = owners.find(place, traceId);
      if (root != null && root.hasString(traceId) && !root.stringSharedFromBirth) {
        return root;
      }
    }
    return null;
  }

  private static void dropSamples(@Nullable LocalRoot evicted) {
    if (evicted != null) {
      evicted.dropSamples();
    }
  }

  private void spanDisplaced() {
    displaced.increment();
    logger.warn(
        "Too many spans have not ended: some show no trace to profilers and are exported without"
            + " stack traces. Check that every span that is started is ended");
  }
}

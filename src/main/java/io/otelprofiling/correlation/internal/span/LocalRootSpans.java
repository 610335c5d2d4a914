/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.span;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.otelprofiling.correlation.internal.id.HexIds;
import io.otelprofiling.correlation.internal.log.RateLimitedLogger;
import java.util.concurrent.atomic.LongAdder;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Knows for every recording span of this process its local root span, and keeps no span alive. A
 * span is known until it has ended, and a little longer; a local root span also while it waits in a
 * processor. Safe for use by many threads; finding the root of a known span allocates nothing.
 */
public final class LocalRootSpans {
  private static final int MAX_SPANS = 1 << 20;
  private static final int OWNERS_PER_TRACE = 8;

  private final SpanTable spans;
  private final SpanTable owners; // by trace id, and by place instead of span id
  private final LongAdder displaced = new LongAdder();
  private final RateLimitedLogger logger =
      new RateLimitedLogger(Logger.getLogger(LocalRootSpans.class.getName()));

  public LocalRootSpans() {
    this(MAX_SPANS);
  }

  LocalRootSpans(int maxSpans) {
    spans = new SpanTable(maxSpans);
    owners = new SpanTable(maxSpans);
  }

  /** Returns whether the span has no parent, or one in another process. */
  public static boolean isLocalRoot(ReadableSpan span) {
    SpanContext parent = span.getParentSpanContext();
    return parent.isRemote() || !parent.isValid();
  }

  /** To be called when a recording span starts, before it is used. */
  public void onStart(Context parentContext, ReadableSpan span) {
    LocalRoot root = isLocalRoot(span) ? open(span) : rootOfParent(parentContext, span);
    if (root != null && !spans.add(spanId(span.getSpanContext()), root)) {
      spanDisplaced();
    }
  }

  /** To be called when a recording span has ended. */
  public void onEnd(ReadableSpan span) {
    SpanContext context = span.getSpanContext();
    forget(spans.end(spanId(context), context.getTraceId()));
  }

  /**
   * Finds the local root span of a recording span of this process.
   *
   * @return null if its start was not seen, its local root was not recorded, or all of that is over
   */
  public @Nullable LocalRoot find(SpanContext span) {
    return spans.find(spanId(span), span.getTraceId());
  }

  /** Finds the local root of a span, also if only its parent's start was seen. */
  public @Nullable LocalRoot find(ReadableSpan span) {
    LocalRoot root = find(span.getSpanContext());
    if (root != null) {
      return root;
    }
    if (isLocalRoot(span)) {
      // It is over, or belongs to another SDK: only its ids count.
      return LocalRoot.ofReleased(span.getSpanContext());
    }
    return find(span.getParentSpanContext());
  }

  /** Finds the local root span with these ids. */
  public @Nullable LocalRoot find(long traceIdHigh, long traceIdLow, long spanId) {
    LocalRoot root = spans.find(spanId, HexIds.toHex(traceIdHigh, traceIdLow));
    return root != null && root.spanId() == spanId ? root : null;
  }

  /** Finds what is known of a local root span. Returns null if this is no local root span. */
  public @Nullable LocalRoot itself(SpanContext span) {
    long spanId = spanId(span);
    LocalRoot root = spans.find(spanId, span.getTraceId());
    return root != null && root.spanId() == spanId ? root : null;
  }

  /** Keeps a local root span known, while it waits in a processor, until {@link #letGo}. */
  void hold(LocalRoot root) {
    if (!spans.hold(root)) {
      spanDisplaced();
    }
  }

  void letGo(LocalRoot root) {
    forget(spans.letGo(root));
  }

  /** Returns how many spans are unknown because too many others have not ended. */
  public long displaced() {
    return displaced.sum();
  }

  int size() {
    return spans.size();
  }

  int ownerCount() {
    return owners.size();
  }

  private static long spanId(SpanContext span) {
    return HexIds.parseLong(span.getSpanId(), 0);
  }

  private LocalRoot open(ReadableSpan span) {
    LocalRoot root = new LocalRoot(span.getSpanContext());
    // One context that was received may be the parent of several roots, but not of two servers'.
    if (!span.getParentSpanContext().isValid() || span.getKind() == SpanKind.SERVER) {
      own(root);
    }
    return root;
  }

  private @Nullable LocalRoot rootOfParent(Context parentContext, ReadableSpan span) {
    LocalRoot root = find(span.getParentSpanContext());
    if (root != null) {
      return root;
    }
    Span parent = Span.fromContext(parentContext);
    return parent instanceof ReadableSpan
        ? find((ReadableSpan) parent)
        : owner(parent.getSpanContext().getTraceId());
  }

  private void own(LocalRoot root) {
    for (byte place = 0; place < OWNERS_PER_TRACE; place++) {
      if (owners.find(place, root.traceId()) == null) {
        root.place = place;
        boolean unused = owners.add(place, root);
        return;
      }
    }
  }

  /**
   * Finds the local root of a span that the sampler has dropped. The SDK hands the very string of
   * the trace id from parent to child, so who has it descends from the root that it was made for.
   *
   * @return null if there is none, or several have it
   */
  private @Nullable LocalRoot owner(String traceId) {
    LocalRoot owner = null;
    for (int place = 0; place < OWNERS_PER_TRACE; place++) {
      LocalRoot root = owners.find(place, traceId);
      if (root != null && root.hasString(traceId)) {
        if (owner != null) {
          return null;
        }
        owner = root;
      }
    }
    return owner;
  }

  private void forget(@Nullable LocalRoot root) {
    if (root != null) {
      if (root.place != LocalRoot.NO_PLACE) {
        owners.remove(root.place, root);
      }
      root.dropSamples();
    }
  }

  private void spanDisplaced() {
    displaced.increment();
    logger.warn(
        "More than "
            + MAX_SPANS
            + " spans have not ended: some show no trace to profilers and are exported without"
            + " stack traces. Is each span that is started ended?");
  }
}

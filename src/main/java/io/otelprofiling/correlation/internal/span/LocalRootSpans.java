/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.span;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.otelprofiling.correlation.internal.id.HexIds;
import java.lang.ref.ReferenceQueue;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Knows for every recording span of this process its local root span, and keeps no span alive. A
 * local root span is known while one of its spans has not ended or it waits in a processor, and a
 * little longer. Safe for use by many threads; finding a known one allocates nothing.
 */
public final class LocalRootSpans {
  // Those that nothing holds any more stay until as many others have come to that, because work may
  // go on below a span that has ended. A power of two.
  private static final int RECENT = 256;

  private final LocalRootTable table = new LocalRootTable();
  private final AtomicReferenceArray<@Nullable LocalRoot> recent =
      new AtomicReferenceArray<>(RECENT);
  private final ReferenceQueue<Object> collected = new ReferenceQueue<>();

  /** Whether a span without parent, or with one in another process, so a local root span. */
  public static boolean isLocalRoot(ReadableSpan span) {
    SpanContext parent = span.getParentSpanContext();
    return parent.isRemote() || !parent.isValid();
  }

  /** To be called when a recording span starts, before it is used. */
  public void onStart(Context parentContext, ReadableSpan span) {
    removeCollected();
    if (isLocalRoot(span)) {
      open(span.getSpanContext());
    } else {
      join(parentContext, span);
    }
  }

  /** To be called when a recording span has ended. */
  public void onEnd(ReadableSpan span) {
    SpanContext context = span.getSpanContext();
    LocalRoot owner = table.find(context.getTraceId());
    if (owner != null && owner.rootOf(context.getSpanId()) == owner) {
      letGo(owner, LocalRoot.BY_SPAN);
    }
  }

  /**
   * The local root span of a recording span of this process, null if its start was not seen, its
   * local root was not recorded, or all of that is over.
   */
  public @Nullable LocalRoot find(SpanContext span) {
    LocalRoot owner = table.find(span.getTraceId());
    LocalRoot root = owner == null ? null : owner.rootOf(span.getSpanId());
    return root == LocalRoot.NOT_RECORDED ? null : root;
  }

  /** The same; a local root span itself never needs to be looked up. */
  public @Nullable LocalRoot find(ReadableSpan span) {
    LocalRoot root = find(span.getSpanContext());
    if (!isLocalRoot(span) || (root != null && root.isItself(span.getSpanContext()))) {
      return root;
    }
    // A later one may have taken its place, or it belongs to another SDK: only its ids count.
    LocalRoot released = LocalRoot.ofReleased(span.getSpanContext());
    boolean unused = released.letGo(LocalRoot.BY_SPAN) && released.forget();
    return released;
  }

  /** The local root span with this very context, null if it is unknown or none. */
  public @Nullable LocalRoot itself(SpanContext span) {
    LocalRoot root = find(span);
    return root != null && root.isItself(span) ? root : null;
  }

  /** The local root span with these ids. */
  public @Nullable LocalRoot find(long traceIdHigh, long traceIdLow, long spanId) {
    LocalRoot root = table.first(HexIds.toHex(traceIdHigh, traceIdLow));
    while (root != null && root.spanId() != spanId) {
      LocalRoot sharing = root.rootOf(HexIds.toHex(spanId));
      root = sharing.spanId() == spanId ? sharing : root.next;
    }
    return root;
  }

  /** Keeps a local root span known, while it waits in a processor, until {@link #letGo}. */
  void hold(LocalRoot root) {
    // One that is forgotten already lives on in the hands of the caller.
    boolean unused = root.hold(LocalRoot.BY_PROCESSOR);
  }

  void letGo(LocalRoot root) {
    letGo(root, LocalRoot.BY_PROCESSOR);
  }

  private void letGo(LocalRoot root, int by) {
    if (root.letGo(by)) {
      LocalRoot displaced = recent.getAndSet((int) root.spanId() & (RECENT - 1), root);
      if (displaced != null && displaced != root && displaced.forget()) {
        table.remove(displaced);
      }
    }
  }

  int traceCount() {
    removeCollected();
    return table.traceCount();
  }

  int memberCount() {
    removeCollected();
    return table.sharingSpanCount();
  }

  private void open(SpanContext context) {
    LocalRoot root = new LocalRoot(context);
    LocalRoot owner = table.add(root, context.getTraceId());
    while (owner != null && !owner.hold(LocalRoot.BY_SPAN)) {
      owner = table.add(root, context.getTraceId());
    }
    if (owner != null) {
      owner.share(root, context, collected);
      letGo(owner, LocalRoot.BY_SPAN);
    }
  }

  private void join(Context parentContext, ReadableSpan span) {
    SpanContext context = span.getSpanContext();
    LocalRoot owner = table.find(context.getTraceId());
    LocalRoot root = owner == null ? null : owner.rootOf(span.getParentSpanContext().getSpanId());
    Span parent = Span.fromContext(parentContext);
    if (owner == null || root == null) {
      reopen(parent);
    } else if (root != owner) {
      owner.share(root, context, collected);
    } else if (!(parent instanceof ReadableSpan) && !parent.isRecording()) {
      owner.share(LocalRoot.NOT_RECORDED, context, collected);
    } else if (!owner.hold(LocalRoot.BY_SPAN)) {
      reopen(parent);
    }
  }

  /** Work goes on below a local root span that was released long ago. */
  private void reopen(Span parent) {
    if (parent instanceof ReadableSpan && isLocalRoot((ReadableSpan) parent)) {
      SpanContext context = parent.getSpanContext();
      LocalRoot owner = table.add(LocalRoot.ofReleased(context), context.getTraceId());
      if (owner != null) {
        boolean unused = owner.hold(LocalRoot.BY_SPAN); // another child was faster
      }
    }
  }

  private void removeCollected() {
    for (Object gone = collected.poll(); gone != null; gone = collected.poll()) {
      LocalRoot owner = ((SharedTraceId.Member) gone).remove();
      if (owner.forget()) {
        table.remove(owner);
      }
    }
  }
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.span;

import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.otelprofiling.correlation.internal.id.HexIds;
import java.lang.ref.ReferenceQueue;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Knows for every recording span of this process its local root span, for as long as the span or a
 * child of it is reachable, ended or not, and keeps none of them alive. Safe for use by many
 * threads; finding allocates nothing.
 */
public final class LocalRootSpans {
  private final ConcurrentHashMap<String, LocalTrace> traces = new ConcurrentHashMap<>();
  private final ReferenceQueue<Object> collected = new ReferenceQueue<>();
  // Nearly always false, which spares child spans the look-up. Never false again, for simplicity.
  private volatile boolean anySharedTrace;

  /** What remains of a collected span. */
  interface Collectable {
    void removeFrom(LocalRootSpans spans);
  }

  /** Whether a span without parent, or with one in another process, so a local root span. */
  public static boolean isLocalRoot(ReadableSpan span) {
    SpanContext parent = span.getParentSpanContext();
    return parent.isRemote() || !parent.isValid();
  }

  /** To be called when a recording span starts, before it is used. */
  public void onStart(ReadableSpan span) {
    removeCollected();
    SpanContext context = span.getSpanContext();
    if (isLocalRoot(span)) {
      open(context);
    } else if (anySharedTrace) {
      inherit(context, span.getParentSpanContext().getSpanId());
    }
  }

  /**
   * The local root span of a recording span of this process, null if its start was not seen or its
   * local root was not recorded.
   */
  public @Nullable LocalRoot find(SpanContext span) {
    LocalTrace trace = traces.get(span.getTraceId());
    return trace == null ? null : trace.rootOf(span.getSpanId());
  }

  /** The local root span with these ids. */
  public @Nullable LocalRoot find(long traceIdHigh, long traceIdLow, long spanId) {
    LocalTrace trace = traces.get(HexIds.toHex(traceIdHigh, traceIdLow));
    if (trace == null) {
      return null;
    }
    LocalRoot root = trace.rootOf(HexIds.toHex(spanId));
    return root.spanId() == spanId ? root : null;
  }

  /** Whether a trace id alone does not tell the local root span. */
  public boolean hasSharedTraces() {
    return anySharedTrace;
  }

  int traceCount() {
    removeCollected();
    return traces.size();
  }

  int memberCount() {
    removeCollected();
    return traces.values().stream().mapToInt(LocalTrace::memberCount).sum();
  }

  private void open(SpanContext context) {
    LocalRoot root = new LocalRoot(context);
    LocalTrace trace = newTrace(context, root);
    if (traces.putIfAbsent(trace.key, trace) == null) {
      return;
    }
    anySharedTrace = true;
    traces.compute(
        trace.key,
        (key, present) -> {
          if (present == null || present.isDead()) {
            return trace;
          }
          present.join(context, root, collected);
          return present;
        });
  }

  private void inherit(SpanContext context, String parentSpanId) {
    LocalTrace shared = traces.get(context.getTraceId());
    if (shared == null || !shared.hasOthers()) {
      return;
    }
    traces.computeIfPresent(
        context.getTraceId(),
        (key, trace) -> {
          LocalRoot root = trace.otherRootOf(parentSpanId);
          if (root != null) {
            trace.join(context, root, collected);
          }
          return trace;
        });
  }

  @SuppressWarnings("StringOperationCanBeSimplified") // a copy is what is wanted, see LocalTrace
  private LocalTrace newTrace(SpanContext context, LocalRoot root) {
    String traceId = context.getTraceId();
    return new LocalTrace(new String(traceId), traceId, root, collected);
  }

  void removeIfDead(LocalTrace trace) {
    traces.computeIfPresent(
        trace.key, (key, present) -> present == trace && present.isDead() ? null : present);
  }

  private void removeCollected() {
    for (Object gone = collected.poll(); gone != null; gone = collected.poll()) {
      ((Collectable) gone).removeFrom(this);
    }
  }
}

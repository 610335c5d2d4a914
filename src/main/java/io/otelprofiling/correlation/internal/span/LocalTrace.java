/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.span;

import io.opentelemetry.api.trace.SpanContext;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The local root spans of this process that share one trace id: nearly always one.
 *
 * <p>Lives as long as any span of that one, which it need not know: the SDK hands the string of the
 * trace id from parent to child, so the string is reachable as long as any of them is. Where a
 * second local root has the same trace id (a service that calls itself), every span below it is
 * registered by itself, because then the trace id does not tell.
 */
final class LocalTrace extends WeakReference<String> implements LocalRootSpans.Collectable {
  /** A copy of the trace id: the map must not hold the string that stands for the spans. */
  final String key;

  final LocalRoot first;
  private volatile @Nullable ConcurrentHashMap<String, Member> others;

  LocalTrace(String key, String traceId, LocalRoot first, ReferenceQueue<Object> collected) {
    super(traceId, collected);
    this.key = key;
    this.first = first;
  }

  boolean hasOthers() {
    return others != null;
  }

  int memberCount() {
    ConcurrentHashMap<String, Member> others = this.others;
    return others == null ? 0 : others.size();
  }

  /** Which local root a span of this trace belongs to, by its own id or its parent's. */
  LocalRoot rootOf(String spanId) {
    LocalRoot other = otherRootOf(spanId);
    return other == null ? first : other;
  }

  @Nullable LocalRoot otherRootOf(String spanId) {
    ConcurrentHashMap<String, Member> others = this.others;
    Member member = others == null ? null : others.get(spanId);
    return member == null ? null : member.root;
  }

  /** Only within an update of the map of all traces. */
  void join(SpanContext span, LocalRoot root, ReferenceQueue<Object> collected) {
    ConcurrentHashMap<String, Member> others = this.others;
    if (others == null) {
      others = new ConcurrentHashMap<>();
      this.others = others;
    }
    others.put(span.getSpanId(), new Member(this, span, root, collected));
  }

  /** Whether no span of this trace is reachable any more. */
  boolean isDead() {
    return get() == null && (others == null || others.isEmpty());
  }

  @Override
  public void removeFrom(LocalRootSpans spans) {
    spans.removeIfDead(this);
  }

  /** A span below a second local root; gone when neither it nor a child of it is reachable. */
  private static final class Member extends WeakReference<SpanContext>
      implements LocalRootSpans.Collectable {
    private final LocalTrace trace;
    private final String spanId;
    private final LocalRoot root;

    Member(LocalTrace trace, SpanContext span, LocalRoot root, ReferenceQueue<Object> collected) {
      super(span, collected);
      this.trace = trace;
      this.spanId = span.getSpanId();
      this.root = root;
    }

    @Override
    public void removeFrom(LocalRootSpans spans) {
      ConcurrentHashMap<String, Member> others = trace.others;
      if (others != null) {
        others.remove(spanId, this);
      }
      spans.removeIfDead(trace);
    }
  }
}

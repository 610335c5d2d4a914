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
 * Spans whose local root their trace id does not tell, because an earlier local root has the same
 * string for it: two local roots below one extracted remote parent, as in a batch of messages. Each
 * is known by itself then, as long as it or a child of it is reachable. So is one below a dropped
 * local root beside a recorded one.
 */
final class SharedTraceId {
  private final LocalRoot owner;
  private final ConcurrentHashMap<String, Member> members = new ConcurrentHashMap<>();

  SharedTraceId(LocalRoot owner) {
    this.owner = owner;
  }

  void add(LocalRoot root, SpanContext span, ReferenceQueue<Object> collected) {
    members.put(span.getSpanId(), new Member(this, root, span, collected));
  }

  @Nullable LocalRoot rootOf(String spanId) {
    Member member = members.get(spanId);
    return member == null ? null : member.root;
  }

  boolean isEmpty() {
    return members.isEmpty();
  }

  int size() {
    return members.size();
  }

  /** A span; gone when neither it nor a child of it is reachable. */
  static final class Member extends WeakReference<SpanContext> {
    private final SharedTraceId trace;
    private final LocalRoot root;
    private final String spanId;

    Member(
        SharedTraceId trace, LocalRoot root, SpanContext span, ReferenceQueue<Object> collected) {
      super(span, collected);
      this.trace = trace;
      this.root = root;
      this.spanId = span.getSpanId();
    }

    /** Returns the owner of the trace id. */
    LocalRoot remove() {
      trace.members.remove(spanId, this);
      return trace.owner;
    }
  }
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.context;

import io.opentelemetry.api.trace.SpanContext;
import io.otelprofiling.correlation.internal.localroot.LocalRoot;
import org.jspecify.annotations.Nullable;

/**
 * The ids and local roots of spans that became current on one thread more than once, because
 * finding them takes longer than showing them. A span is identified by its span context object,
 * which the SDK creates once per span. Not thread-safe.
 */
final class RecentSpans {
  private static final int ON_PLATFORM_THREAD = 256; // powers of two
  private static final int ON_VIRTUAL_THREAD = 4;
  private static final int SPREAD = 0x9e3779b1;

  /** The result of {@link #find} for a span that has no place. */
  static final int NOWHERE = 0;

  /** The instance of a thread that has shown no span. Nothing is to be added to it. */
  static final RecentSpans NONE = new RecentSpans(1);

  // Each place from 1 on has a span with its root, or only the id of a span that was current once.
  private final @Nullable SpanContext[] contexts;
  private final @Nullable LocalRoot[] roots;
  private final long[] spanIds;
  private boolean displaceOther;

  private RecentSpans(int size) {
    contexts = new SpanContext[1 + size];
    roots = new LocalRoot[1 + size];
    spanIds = new long[1 + size];
  }

  static RecentSpans ofCurrentThread() {
    return new RecentSpans(VirtualThreads.isCurrent() ? ON_VIRTUAL_THREAD : ON_PLATFORM_THREAD);
  }

  /** Returns the place of a span, or {@link #NOWHERE}. */
  int find(SpanContext context) {
    // Each span has two places, so that two spans that take turns find one each.
    int hash = context.getSpanId().hashCode();
    int place = place(hash);
    if (contexts[place] == context) {
      return place;
    }
    place = otherPlace(hash);
    return contexts[place] == context ? place : NOWHERE;
  }

  private int place(int hash) {
    return 1 + (hash & (spanIds.length - 2));
  }

  private int otherPlace(int hash) {
    return place((hash * SPREAD) >>> Short.SIZE);
  }

  long spanId(int place) {
    return spanIds[place];
  }

  @Nullable LocalRoot root(int place) {
    return roots[place];
  }

  /**
   * Adds a span that has no place. The first time, it stores only the id, because a garbage
   * collector may make writing references cost as much as finding the span.
   */
  void add(SpanContext context, LocalRoot root, long spanId) {
    int hash = context.getSpanId().hashCode();
    int first = place(hash);
    int second = otherPlace(hash);
    if (spanIds[first] == spanId) {
      set(first, context, root);
    } else if (spanIds[second] == spanId) {
      set(second, context, root);
    } else {
      displaceOther = !displaceOther;
      boolean other = spanIds[first] != 0 && (spanIds[second] == 0 || displaceOther);
      int place = other ? second : first;
      if (contexts[place] != null) {
        contexts[place] = null;
        roots[place] = null;
      }
      spanIds[place] = spanId;
    }
  }

  private void set(int place, SpanContext context, LocalRoot root) {
    contexts[place] = context;
    roots[place] = root;
  }
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.span;

import org.jspecify.annotations.Nullable;

/**
 * Local roots by the ids of their spans. Keeps neither spans nor contexts alive, allocates only to
 * grow, and does not grow for ever: where it is full, new spans displace others. Safe for use by
 * many threads.
 */
final class SpanTable {
  private static final int STRIPE_BITS = 6;
  private static final long ODD = 0x9e3779b97f4a7c15L;

  private final SpanStripe[] stripes = new SpanStripe[1 << STRIPE_BITS];

  /** Creates a table for up to so many spans, if their ids are spread evenly. */
  SpanTable(int maxSize) {
    for (int i = 0; i < stripes.length; i++) {
      stripes[i] = new SpanStripe(maxSize >>> STRIPE_BITS);
    }
  }

  /**
   * Mixes the ids, which a generator may have made of counters. In one trace, different spans have
   * different keys.
   */
  static long key(long spanId, String traceId) {
    long key = spanId ^ traceId.hashCode() * ODD;
    key = (key ^ key >>> 32) * ODD;
    key ^= key >>> 29;
    return key == 0 ? 1 : key;
  }

  private SpanStripe stripe(long key) {
    return stripes[(int) (key >>> (Long.SIZE - STRIPE_BITS))];
  }

  @Nullable LocalRoot find(long spanId, String traceId) {
    long key = key(spanId, traceId);
    return stripe(key).find(key, traceId);
  }

  /**
   * Adds a span, or replaces the one of equal ids.
   *
   * @return false if there was no room, so that another one, or this one, is not known any more
   */
  boolean add(long spanId, LocalRoot root) {
    long key = key(spanId, root.traceId());
    return stripe(key).add(key, root);
  }

  /** Removes a span if this is its root. */
  void remove(long spanId, LocalRoot root) {
    long key = key(spanId, root.traceId());
    stripe(key).remove(key, root);
  }

  /**
   * Lets a span go that has ended: it is known until some others have ended too, and as a local
   * root as long as it waits in a processor.
   *
   * @return a local root that is forgotten now
   */
  @Nullable LocalRoot end(long spanId, String traceId) {
    long key = key(spanId, traceId);
    return stripe(key).end(key, traceId);
  }

  /** Keeps a local root, which waits in a processor. Returns false as {@link #add}. */
  boolean hold(LocalRoot root) {
    long key = key(root.spanId(), root.traceId());
    return stripe(key).hold(key, root);
  }

  /** Undoes {@link #hold}. Returns a local root that is forgotten now. */
  @Nullable LocalRoot letGo(LocalRoot root) {
    long key = key(root.spanId(), root.traceId());
    return stripe(key).letGo(key, root);
  }

  int size() {
    int size = 0;
    for (SpanStripe stripe : stripes) {
      size += stripe.size();
    }
    return size;
  }
}

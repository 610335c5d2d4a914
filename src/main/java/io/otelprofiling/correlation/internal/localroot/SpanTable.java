/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.localroot;

import org.jspecify.annotations.Nullable;

/**
 * Finds local roots by the ids of their spans. It keeps neither spans nor their {@code Context}
 * alive, allocates only to grow, and is bounded: when it is full, new spans displace others.
 * Thread-safe.
 */
final class SpanTable {
  /** Not the key of any span. */
  static final long NO_KEY = 0;

  private static final int STRIPE_BITS = 6;
  private static final long ODD = 0x9e3779b97f4a7c15L;

  private final SpanStripe[] stripes = new SpanStripe[1 << STRIPE_BITS];

  /** Creates a table for up to this many spans, provided that their ids are spread evenly. */
  SpanTable(int maxSize) {
    for (int i = 0; i < stripes.length; i++) {
      stripes[i] = new SpanStripe(maxSize >>> STRIPE_BITS);
    }
  }

  /**
   * Mixes the ids, because a generator may have made them of counters. Within one trace, different
   * spans have different keys.
   */
  static long key(long spanId, String traceId) {
    long key = spanId ^ traceId.hashCode() * ODD;
    key = (key ^ key >>> 32) * ODD;
    key ^= key >>> 29;
    return key == NO_KEY ? 1 : key;
  }

  private SpanStripe stripe(long key) {
    return stripes[(int) (key >>> (Long.SIZE - STRIPE_BITS))];
  }

  @Nullable LocalRoot find(long spanId, String traceId) {
    long key = key(spanId, traceId);
    return stripe(key).find(key, traceId);
  }

  /**
   * Adds a span, or replaces the one with equal ids.
   *
   * @return false if there was no room, so that another span, or this one, is no longer known
   */
  boolean add(long spanId, LocalRoot root) {
    long key = key(spanId, root.traceId());
    return stripe(key).add(key, root);
  }

  /**
   * Adds a local root at a place, or replaces the one with equal ids there.
   *
   * @param place {@link LocalRoot#BY_SPAN_ID}, or the number of a place of its trace id
   * @return the other root that is there; null if this one was added; this one if there was no
   *     room, so that another span, or this one, is no longer known
   */
  @Nullable LocalRoot claim(byte place, LocalRoot root) {
    long key = root.keyAt(place);
    return stripe(key).claim(key, place, root);
  }

  /**
   * Removes a span that has ended, once some others have followed.
   *
   * @return the local root that is evicted now, or null
   */
  @Nullable LocalRoot end(long spanId, String traceId) {
    long key = key(spanId, traceId);
    return stripe(key).end(key, traceId);
  }

  /**
   * Evicts a local root that nothing retains, once some others have followed, unless something
   * retains it again.
   *
   * @return the local root that is evicted now, or null
   */
  @Nullable LocalRoot evictLater(LocalRoot root) {
    long key = root.key();
    return stripe(key).evictLater(key);
  }

  int size() {
    int size = 0;
    for (SpanStripe stripe : stripes) {
      size += stripe.size();
    }
    return size;
  }
}

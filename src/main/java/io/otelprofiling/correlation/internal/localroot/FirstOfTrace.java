/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.localroot;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The first local root of each trace that is alive in this process, which is nearly always the only
 * one. Thread-safe.
 */
final class FirstOfTrace {
  // Work may continue below a span that has ended, so a root that nothing retains stays until
  // another such root takes its place here, on average after 256 of them.
  private static final int RECENT_BITS = 8;
  private static final long ODD = 0x9e3779b97f4a7c15L; // mixes the ids, which may be counters

  private final ConcurrentHashMap<String, LocalRoot> roots = new ConcurrentHashMap<>();
  private final AtomicReferenceArray<@Nullable LocalRoot> recent =
      new AtomicReferenceArray<>(1 << RECENT_BITS);
  private final int maxSize;

  FirstOfTrace(int maxSize) {
    this.maxSize = maxSize;
  }

  /** Finds the local root with an equal trace id. */
  @Nullable LocalRoot find(String traceId) {
    return roots.get(traceId);
  }

  /** Adds a root. Returns false if another root has an equal trace id, or there is no room. */
  boolean add(LocalRoot root) {
    return roots.mappingCount() < maxSize && roots.putIfAbsent(root.traceId(), root) == null;
  }

  /**
   * Evicts a local root that nothing retains, once other such roots have followed, unless something
   * retains it again.
   *
   * @return the local root that is evicted now, or null
   */
  @Nullable LocalRoot evictLater(LocalRoot root) {
    int place = (int) ((root.spanId() * ODD) >>> (Long.SIZE - RECENT_BITS));
    LocalRoot displaced = recent.getAndSet(place, root);
    if (displaced == null || displaced == root || !displaced.evict()) {
      return null; // if it is retained again, it comes back here later
    }
    roots.remove(displaced.traceId(), displaced);
    return displaced;
  }

  int size() {
    return roots.size();
  }
}

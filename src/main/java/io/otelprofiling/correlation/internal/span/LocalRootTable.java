/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.span;

import java.util.Iterator;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Local root spans by trace id. Several of one distributed trace, as of a service that is called
 * twice in it, have strings of their own for equal trace ids and are told apart by these.
 *
 * <p>Those of spans that never end are swept out when nobody can ask for them any more. As long as
 * the table does not grow, nothing is swept; while it does, additions share the work.
 */
final class LocalRootTable {
  private static final int ADDITIONS_PER_CHECK = 64; // a power of two
  private static final int ENTRIES_PER_CHECK = 16 * ADDITIONS_PER_CHECK;
  private static final int MIN_GROWTH = 4096;

  private final ConcurrentHashMap<String, LocalRoot> firstByTraceId = new ConcurrentHashMap<>();
  private final ReentrantLock sweepLock = new ReentrantLock();
  private @Nullable Iterator<String> sweep; // guarded by the lock, as what follows
  private int sweepAtSize = MIN_GROWTH;
  private volatile int keyChanges; // odd during one

  /** The one whose spans have this very string as trace id. */
  @Nullable LocalRoot find(String traceId) {
    LocalRoot root = first(traceId);
    while (root != null && !root.hasTraceId(traceId)) {
      root = root.next;
    }
    return root;
  }

  /** The first one with an equal trace id, which leads to the others. */
  @Nullable LocalRoot first(String traceId) {
    int changesBefore = keyChanges;
    LocalRoot root = firstByTraceId.get(traceId);
    if (root != null || ((changesBefore & 1) == 0 && changesBefore == keyChanges)) {
      return root;
    }
    sweepLock.lock();
    try {
      return firstByTraceId.get(traceId);
    } finally {
      sweepLock.unlock();
    }
  }

  /**
   * Adds one, unless there is one whose spans have this very string as trace id.
   *
   * @return the one that there is
   */
  @Nullable LocalRoot add(LocalRoot root, String traceId) {
    if ((root.spanId() & (ADDITIONS_PER_CHECK - 1)) == 0) { // ids are random
      checkGrowth();
    }
    if (firstByTraceId.putIfAbsent(traceId, root) == null) {
      return null;
    }
    LocalRoot[] present = new LocalRoot[1];
    firstByTraceId.compute(
        traceId,
        (key, first) -> {
          for (LocalRoot other = first; other != null; other = other.next) {
            if (other.hasTraceId(traceId) && !other.isForgotten()) {
              present[0] = other;
              return first;
            }
          }
          root.next = first;
          return root;
        });
    return present[0];
  }

  void remove(LocalRoot root) {
    firstByTraceId.computeIfPresent(root.traceId(), (key, first) -> without(root, first));
  }

  private static @Nullable LocalRoot without(LocalRoot root, LocalRoot first) {
    if (first == root) {
      return root.next;
    }
    LocalRoot before = first;
    while (before.next != null && before.next != root) {
      before = before.next;
    }
    if (before.next != null) {
      before.next = root.next;
    }
    return first;
  }

  private void checkGrowth() {
    if (!sweepLock.tryLock()) {
      return;
    }
    try {
      int size = firstByTraceId.size();
      if (sweep == null && size >= sweepAtSize) {
        sweep = firstByTraceId.keySet().iterator();
      }
      for (int i = 0; sweep != null && i < ENTRIES_PER_CHECK; i++) {
        if (sweep.hasNext()) {
          sweep(sweep.next());
        } else {
          sweep = null;
          // A small part, because it takes two sweeps and a collection to get rid of one.
          sweepAtSize = size + Math.max(size / 8, MIN_GROWTH);
        }
      }
    } finally {
      sweepLock.unlock();
    }
  }

  private void sweep(String key) {
    for (LocalRoot root = firstByTraceId.get(key); root != null; root = root.next) {
      if (root.isUnreachable()) {
        remove(root);
      } else if (root.weaken() && root.hasTraceId(key)) {
        replaceKey(key);
      }
    }
  }

  /** The key would keep alive what the local root now only refers to weakly. */
  @SuppressWarnings({
    "NonAtomicVolatileUpdate", // guarded by the lock
    "StringOperationCanBeSimplified" // a copy is what is wanted
  })
  private void replaceKey(String key) {
    keyChanges++;
    LocalRoot moved = firstByTraceId.remove(key);
    if (moved != null) {
      firstByTraceId.merge(new String(key), moved, LocalRootTable::concatenate);
    }
    keyChanges++;
  }

  private static LocalRoot concatenate(LocalRoot present, LocalRoot moved) {
    LocalRoot last = moved;
    while (last.next != null) {
      last = last.next;
    }
    last.next = present;
    return moved;
  }

  int traceCount() {
    return firstByTraceId.size();
  }

  int sharingSpanCount() {
    int count = 0;
    for (LocalRoot first : firstByTraceId.values()) {
      for (LocalRoot root = first; root != null; root = root.next) {
        count += root.sharingSpanCount();
      }
    }
    return count;
  }
}

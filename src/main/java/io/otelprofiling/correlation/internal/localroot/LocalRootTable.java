/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.localroot;

import org.jspecify.annotations.Nullable;

/**
 * A bounded table of local roots by their ids. When it is full, a new root displaces one whose span
 * has not ended. Thread-safe: callers hold a lock for a few instructions. Allocates only to grow.
 */
final class LocalRootTable {
  private static final int TRIES = 8;
  private static final long ODD = 0x9e3779b97f4a7c15L;

  private final int maxSize;
  private @Nullable LocalRoot[] buckets = new LocalRoot[16]; // a power of two
  private int size;
  private int nextToDisplace;

  LocalRootTable(int maxSize) {
    this.maxSize = maxSize;
  }

  /** Mixes the ids one by one: a generator may derive all of them from one counter. */
  static int hash(long traceIdHigh, long traceIdLow, long spanId) {
    long hash = spanId * ODD;
    hash = (hash ^ hash >>> 32 ^ traceIdLow) * ODD;
    hash = (hash ^ hash >>> 32 ^ traceIdHigh) * ODD;
    return (int) (hash >>> Integer.SIZE);
  }

  static int hash(LocalRoot root) {
    return hash(root.traceIdHigh(), root.traceIdLow(), root.spanId());
  }

  synchronized int size() {
    return size;
  }

  /** Finds a root by its ids and their hash. */
  synchronized @Nullable LocalRoot find(int hash, long traceIdHigh, long traceIdLow, long spanId) {
    LocalRoot root = buckets[hash & (buckets.length - 1)];
    while (root != null && !root.is(traceIdHigh, traceIdLow, spanId)) {
      root = root.next;
    }
    return root;
  }

  /** Adds a root. Returns false if it displaced another root, or there was no room at all. */
  synchronized boolean add(int hash, LocalRoot root) {
    boolean room = size < maxSize;
    if (!room && !displaceOne()) {
      return false;
    }
    if (size == buckets.length) {
      grow();
    }
    push(buckets, hash, root);
    size++;
    return room;
  }

  /** Removes a root if the table contains it. */
  synchronized void remove(int hash, LocalRoot root) {
    int bucket = hash & (buckets.length - 1);
    LocalRoot before = null;
    LocalRoot found = buckets[bucket];
    while (found != null && found != root) {
      before = found;
      found = found.next;
    }
    if (found != null) {
      unlink(bucket, before, found);
    }
  }

  private static void push(@Nullable LocalRoot[] buckets, int hash, LocalRoot root) {
    int bucket = hash & (buckets.length - 1);
    root.next = buckets[bucket];
    buckets[bucket] = root;
  }

  private void unlink(int bucket, @Nullable LocalRoot before, LocalRoot root) {
    if (before == null) {
      buckets[bucket] = root.next;
    } else {
      before.next = root.next;
    }
    root.next = null;
    size--;
  }

  private void grow() {
    LocalRoot[] larger = new LocalRoot[2 * buckets.length];
    for (LocalRoot first : buckets) {
      LocalRoot root = first;
      while (root != null) {
        LocalRoot next = root.next;
        push(larger, hash(root), root);
        root = next;
      }
    }
    buckets = larger;
  }

  /** Removes the next root in turn. Gives up if several in a row wait in processors. */
  private boolean displaceOne() {
    for (int tries = 0; tries < TRIES; ) {
      int bucket = nextToDisplace++ & (buckets.length - 1);
      LocalRoot root = buckets[bucket];
      if (root == null) {
        continue; // a full table has others to displace
      }
      if (root.endUnlessWaiting()) {
        unlink(bucket, null, root);
        return true;
      }
      tries++;
    }
    return false;
  }
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.localroot;

import org.jspecify.annotations.Nullable;

/**
 * The local roots that may still get samples, by their ids. It consists of parts with a lock each,
 * which spans and messages hold for a few instructions. It is bounded: when a part is full, a new
 * root displaces one whose span has not ended. Thread-safe; allocates only to grow.
 */
final class LocalRootTable {
  private static final int PART_BITS = 6;
  private static final long ODD = 0x9e3779b97f4a7c15L;

  private final Part[] parts = new Part[1 << PART_BITS];

  /** Creates a table for up to this many local roots, provided that their ids vary. */
  LocalRootTable(int maxSize) {
    for (int i = 0; i < parts.length; i++) {
      parts[i] = new Part(maxSize >>> PART_BITS);
    }
  }

  /** Mixes the ids, because a generator may have made them of counters. */
  private static int hash(long traceIdHigh, long traceIdLow, long spanId) {
    long hash = (spanId ^ traceIdLow * ODD ^ traceIdHigh) * ODD;
    hash = (hash ^ hash >>> 32) * ODD;
    return (int) (hash >>> Integer.SIZE);
  }

  private static int hash(LocalRoot root) {
    return hash(root.traceIdHigh(), root.traceIdLow(), root.spanId());
  }

  private Part part(int hash) {
    return parts[hash >>> (Integer.SIZE - PART_BITS)];
  }

  /** Adds a root. Returns false if there was no room, so that another one, or this, is unknown. */
  boolean add(LocalRoot root) {
    int hash = hash(root);
    return part(hash).add(hash, root);
  }

  /** Removes a root, if it is in the table. */
  void remove(LocalRoot root) {
    int hash = hash(root);
    part(hash).remove(hash, root);
  }

  @Nullable LocalRoot find(long traceIdHigh, long traceIdLow, long spanId) {
    int hash = hash(traceIdHigh, traceIdLow, spanId);
    return part(hash).find(hash, traceIdHigh, traceIdLow, spanId);
  }

  int size() {
    int size = 0;
    for (Part part : parts) {
      size += part.size();
    }
    return size;
  }

  /** A hash table of its own, whose buckets are lists of roots. */
  private static final class Part {
    private static final int TRIES = 8;

    private final int maxSize;
    private @Nullable LocalRoot[] buckets = new LocalRoot[16]; // a power of two
    private int size;
    private int nextToDisplace;

    Part(int maxSize) {
      this.maxSize = maxSize;
    }

    synchronized int size() {
      return size;
    }

    synchronized @Nullable LocalRoot find(
        int hash, long traceIdHigh, long traceIdLow, long spanId) {
      LocalRoot root = buckets[hash & (buckets.length - 1)];
      while (root != null && !root.is(traceIdHigh, traceIdLow, spanId)) {
        root = root.next;
      }
      return root;
    }

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

    /** Removes the next root in turn, unless several in turn wait in processors. */
    private boolean displaceOne() {
      for (int tries = 0; tries < TRIES; ) {
        int bucket = nextToDisplace++ & (buckets.length - 1);
        LocalRoot root = buckets[bucket];
        if (root == null) {
          continue; // a full table has others
        }
        if (root.releaseUnlessWaiting()) {
          unlink(bucket, null, root);
          return true;
        }
        tries++;
      }
      return false;
    }
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.localroot;

import org.jspecify.annotations.Nullable;

/**
 * A table of local roots by their ids. Forgets those whose span cannot end any more when it would
 * have to grow. The number of running ones is bounded: when there are too many, a new root
 * displaces one whose span has not ended. Thread-safe: callers hold a lock, mostly for a few
 * instructions. Allocates only to grow.
 */
final class LocalRootTable {
  private static final int TRIES = 8;
  private static final long ODD = 0x9e3779b97f4a7c15L;

  private final int maxSize;
  private @Nullable LocalRoot[] buckets = new LocalRoot[16]; // a power of two
  private int size;
  private int waiting; // when last counted
  private int addedSinceCount;
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

  /** Returns how many there were a moment ago: who counts must not hold up who starts a span. */
  int size() {
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
    boolean room = hasRoom();
    if (!room && !displaceOne()) {
      return false;
    }
    if (size == buckets.length) {
      removeUnreachable();
      if (size > buckets.length / 2) {
        grow();
      }
    }
    push(buckets, hash, root);
    size++;
    addedSinceCount++;
    return room;
  }

  /** Waiting ones are not bounded here. If there may be more of them than before, counts them. */
  private boolean hasRoom() {
    if (size >= maxSize + waiting && addedSinceCount >= maxSize / TRIES) {
      removeUnreachable();
    }
    return size < maxSize + waiting;
  }

  /** Removes all roots whose span cannot end any more, and counts waiting ones. */
  private void removeUnreachable() {
    waiting = 0;
    addedSinceCount = 0;
    for (int bucket = 0; bucket < buckets.length; bucket++) {
      LocalRoot before = null;
      LocalRoot root = buckets[bucket];
      while (root != null) {
        LocalRoot next = root.next;
        if (root.endIfUnreachable()) {
          unlink(bucket, before, root);
        } else {
          waiting += root.isWaiting() ? 1 : 0;
          before = root;
        }
        root = next;
      }
    }
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

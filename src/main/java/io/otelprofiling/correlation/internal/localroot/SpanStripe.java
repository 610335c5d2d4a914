/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.localroot;

import java.util.concurrent.locks.StampedLock;
import org.jspecify.annotations.Nullable;

/**
 * A part of a {@link SpanTable}, with a lock of its own, which readers need only if another thread
 * writes meanwhile. No code of others runs under the lock. A span that has ended stays until some
 * others of this part have ended too, because work may continue below it.
 */
@SuppressWarnings("NullAway") // an index that was found has a root
final class SpanStripe {
  private static final int INITIAL_CAPACITY = 16;
  private static final int RECENT = 8; // a power of two
  private static final int TRIES = 8;

  private final StampedLock lock = new StampedLock();
  private final int maxSize;
  private final long[] recent = new long[RECENT];
  private SpanSlots slots = new SpanSlots(INITIAL_CAPACITY);
  private int nextRecent;
  private int nextToDisplace;

  SpanStripe(int maxSize) {
    this.maxSize = maxSize;
  }

  @Nullable LocalRoot find(long key, String traceId) {
    long stamp = lock.tryOptimisticRead();
    SpanSlots read = slots;
    LocalRoot root = read.root(read.indexOf(key, traceId));
    if (lock.validate(stamp)) {
      return root;
    }
    stamp = lock.readLock();
    try {
      return slots.root(slots.indexOf(key, traceId));
    } finally {
      lock.unlockRead(stamp);
    }
  }

  /**
   * Adds a span, or replaces the one with equal ids.
   *
   * @return false if there was no room, so that another span, or this one, is no longer known
   */
  boolean add(long key, LocalRoot root) {
    long stamp = lock.writeLock();
    try {
      return put(key, root);
    } finally {
      lock.unlockWrite(stamp);
    }
  }

  /**
   * Adds a local root, and sets its place, or replaces the one with equal ids.
   *
   * @return the other root that has the key; null if this one was added; this one if there was no
   *     room, so that another span, or this one, is no longer known
   */
  @Nullable LocalRoot claim(long key, byte place, LocalRoot root) {
    long stamp = lock.writeLock();
    try {
      LocalRoot other = slots.root(slots.indexOf(key, root.traceId()));
      if (other != null && other.spanId() != root.spanId()) {
        return other;
      }
      root.place = place;
      return put(key, root) ? null : root;
    } finally {
      lock.unlockWrite(stamp);
    }
  }

  /**
   * Removes a span that has ended and has an entry of its own, once some others have followed.
   *
   * @return the local root that is evicted now, or null
   */
  @Nullable LocalRoot end(long key, String traceId) {
    long stamp = lock.writeLock();
    try {
      return slots.indexOf(key, traceId) < 0 ? null : evictAfterOthers(key);
    } finally {
      lock.unlockWrite(stamp);
    }
  }

  /**
   * Evicts the local root with this key, which nothing retains, once some others have followed.
   * Returns the one that is evicted now, or null.
   */
  @Nullable LocalRoot evictLater(long key) {
    long stamp = lock.writeLock();
    try {
      return evictAfterOthers(key);
    } finally {
      lock.unlockWrite(stamp);
    }
  }

  int size() {
    long stamp = lock.readLock();
    try {
      return slots.size();
    } finally {
      lock.unlockRead(stamp);
    }
  }

  private @Nullable LocalRoot evictAfterOthers(long key) {
    long oldest = recent[nextRecent];
    recent[nextRecent] = key;
    nextRecent = (nextRecent + 1) & (RECENT - 1);
    int index = slots.indexOf(oldest);
    if (index < 0) {
      return null;
    }
    LocalRoot root = slots.root(index);
    boolean itself = root.key() == oldest;
    if (itself && !root.evict()) {
      return null; // if it is retained again, it comes back here later
    }
    slots.remove(index);
    return itself ? root : null;
  }

  private boolean put(long key, LocalRoot root) {
    int index = slots.indexOf(key, root.traceId());
    if (index >= 0) {
      slots.replace(index, root);
      keepAnew(key);
      return true;
    }
    boolean room = slots.size() < maxSize;
    if (!room && !displace()) {
      return false;
    }
    if (slots.isFull()) {
      slots = slots.grown();
    }
    slots.insert(key, root);
    return room;
  }

  /**
   * Keeps the span with this key, although one with equal ids has ended: its ids are used again.
   */
  private void keepAnew(long key) {
    for (int i = 0; i < RECENT; i++) {
      if (recent[i] == key) {
        recent[i] = SpanTable.NO_KEY;
      }
    }
  }

  /**
   * Removes the next span in turn that is not a local root waiting in a processor. Returns false if
   * several tries find none.
   */
  private boolean displace() {
    for (int i = 0; i < TRIES; i++) {
      int index = slots.nextOccupied(nextToDisplace);
      LocalRoot root = slots.root(index);
      if (root.key() != slots.key(index) || root.evictUnlessWaiting()) {
        slots.remove(index);
        nextToDisplace = index;
        return true;
      }
      nextToDisplace = index + 1;
    }
    return false;
  }
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.span;

import java.util.concurrent.locks.StampedLock;
import org.jspecify.annotations.Nullable;

/**
 * A part of a {@link SpanTable}, with a lock of its own, which readers need only if somebody writes
 * meanwhile. No code of others runs under the lock. Spans that have ended stay until some others of
 * this part have ended too, because work may go on below them.
 */
@SuppressWarnings("NullAway") // at an index that was found there is a root
final class SpanStripe {
  /** What a local root span that has not ended is counted as in {@link LocalRoot#holds}. */
  static final short HELD_BY_SPAN = 1;

  /** What each processor in which it waits is counted as. */
  static final short HELD_BY_PROCESSOR = 2;

  private static final int INITIAL_CAPACITY = 16;
  private static final int RECENT = 8; // a power of two
  private static final int TRIES = 8;
  private static final long NONE = 0; // which is no key

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
   * Adds a span, or replaces the one of equal ids.
   *
   * @return false if there was no room, so that another one, or this one, is not known any more
   */
  boolean add(long key, LocalRoot root) {
    long stamp = lock.writeLock();
    try {
      return put(key, root);
    } finally {
      lock.unlockWrite(stamp);
    }
  }

  /** Removes the span if this is its root. */
  void remove(long key, LocalRoot root) {
    long stamp = lock.writeLock();
    try {
      int index = slots.indexOf(key, root.traceId());
      if (slots.root(index) == root) {
        slots.remove(index);
      }
    } finally {
      lock.unlockWrite(stamp);
    }
  }

  /**
   * Lets a span go that has ended, unless it is a local root that waits in a processor.
   *
   * @return a local root that is forgotten now
   */
  @Nullable LocalRoot end(long key, String traceId) {
    long stamp = lock.writeLock();
    try {
      LocalRoot root = slots.root(slots.indexOf(key, traceId));
      if (root == null) {
        return null;
      }
      return isItself(root, key) ? letGo(key, root, HELD_BY_SPAN) : forgetAfterOthers(key);
    } finally {
      lock.unlockWrite(stamp);
    }
  }

  /** Keeps a local root. Returns false as {@link #add}. */
  boolean hold(long key, LocalRoot root) {
    long stamp = lock.writeLock();
    try {
      root.holds += HELD_BY_PROCESSOR;
      return slots.indexOf(key, root.traceId()) >= 0 || put(key, root);
    } finally {
      lock.unlockWrite(stamp);
    }
  }

  /** Undoes {@link #hold}. Returns a local root that is forgotten now. */
  @Nullable LocalRoot letGo(long key, LocalRoot root) {
    long stamp = lock.writeLock();
    try {
      return letGo(key, root, HELD_BY_PROCESSOR);
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

  private @Nullable LocalRoot letGo(long key, LocalRoot root, short by) {
    root.holds -= by;
    return root.holds <= 0 ? forgetAfterOthers(key) : null;
  }

  private @Nullable LocalRoot forgetAfterOthers(long key) {
    long oldest = recent[nextRecent];
    recent[nextRecent] = key;
    nextRecent = (nextRecent + 1) & (RECENT - 1);
    int index = slots.indexOf(oldest);
    if (index < 0) {
      return null;
    }
    LocalRoot root = slots.root(index);
    boolean itself = isItself(root, oldest);
    if (itself && root.holds > 0) {
      return null; // it waits by now, and will come here again
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

  /** The ids of a span that has ended are used again. */
  private void keepAnew(long key) {
    for (int i = 0; i < RECENT; i++) {
      if (recent[i] == key) {
        recent[i] = NONE;
      }
    }
  }

  /** Removes the next one in turn that is no local root which waits in a processor. */
  private boolean displace() {
    for (int i = 0; i < TRIES; i++) {
      int index = slots.nextOccupied(nextToDisplace);
      LocalRoot root = slots.root(index);
      if (!isItself(root, slots.key(index)) || root.holds < HELD_BY_PROCESSOR) {
        slots.remove(index);
        nextToDisplace = index;
        return true;
      }
      nextToDisplace = index + 1;
    }
    return false;
  }

  private static boolean isItself(LocalRoot root, long key) {
    return key == SpanTable.key(root.spanId(), root.traceId());
  }
}

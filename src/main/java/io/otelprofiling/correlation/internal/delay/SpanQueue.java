/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.delay;

import io.opentelemetry.sdk.trace.ReadableSpan;
import io.otelprofiling.correlation.internal.localroot.LocalRoot;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A bounded FIFO of ended local root spans and their end times. Any thread may offer spans, without
 * locks or garbage. One thread at a time may mark spans as due, and one at a time may take those.
 *
 * <pre>
 *   head            due             tail
 *    | due, not yet  | not yet due,  | free
 *    | taken         | or claimed    |
 * </pre>
 *
 * <p>A thread that offers a span first claims a slot and then publishes the span there, and may be
 * descheduled in between. {@link #markDue} stops at such a slot. {@link #markAllDue} includes it,
 * and the thread that takes spans waits for it, because no span behind it may be left out. A thread
 * whose stack ends in between abandons the slot.
 *
 * <p>An entry consists of three array elements, so a waiting span costs 16 bytes. Threads that
 * offer spans rarely touch what the other end writes, because a cache line that moves between
 * processors costs more than everything else.
 */
final class SpanQueue {
  /** The result of {@link #markDue} if no span waits. */
  static final long EMPTY = Long.MAX_VALUE;

  private static final int SPINS = 100;
  private static final long PAUSE_NANOS = 50_000;

  /** The end time in a slot that was abandoned. A span whose time this is gets the next one. */
  private static final long ABANDONED = Long.MIN_VALUE;

  private final int capacity;
  private final int mask;
  private final AtomicReferenceArray<@Nullable Object> spansAndRoots;
  private final long[] endNanos;
  private volatile boolean abandons; // written after each end time that says so

  private final Position tail = new Position();
  private final Position knownHead = new Position(); // the head when the queue last seemed full
  private final Position due = new Position();
  private final Position head = new Position();

  SpanQueue(int capacity) {
    int slots = capacity <= 1 ? 1 : Integer.highestOneBit(capacity - 1) << 1;
    this.capacity = capacity;
    this.mask = slots - 1;
    this.spansAndRoots = new AtomicReferenceArray<>(2 * slots);
    this.endNanos = new long[slots];
  }

  /**
   * Adds a span. Returns false if the queue is full.
   *
   * <p>A thread may declare that spans are no longer released, and then mark all spans as due.
   * After an offer that returns true, either that thread has marked the span, or the caller sees
   * the declaration.
   *
   * @throws StackOverflowError if the stack ends here; the span is then not in the queue
   */
  boolean offer(ReadableSpan span, LocalRoot root, long endNanos) {
    long position;
    do {
      position = tail.get();
      if (position - knownHead.get() >= capacity) {
        // Read after the tail: if the tail is still the same below, this head is not beyond it.
        long headNow = head.get();
        if (position - headNow >= capacity) {
          return false;
        }
        knownHead.lazySet(headNow);
      }
    } while (!tail.compareAndSet(position, position + 1));
    int slot = (int) position & mask; // from here on, a call may find no stack
    try {
      this.endNanos[slot] = endNanos == ABANDONED ? endNanos + 1 : endNanos;
      spansAndRoots.lazySet(2 * slot, span);
      // Publishes the span. Not lazily: the caller reads next whether the worker sleeps, which must
      // not be read before this write. The worker looks here once more before it sleeps.
      spansAndRoots.set(2 * slot + 1, root);
      return true;
    } catch (Throwable e) {
      this.endNanos[slot] = ABANDONED; // without a call
      abandons = true;
      throw e;
    }
  }

  /**
   * Marks the spans that have ended by this time.
   *
   * @return how many nanoseconds after this time the first of the other spans has ended, or {@link
   *     #EMPTY}
   */
  long markDue(long endedUntil) {
    long position = due.get();
    long wait = EMPTY;
    for (long end = tail.get(); position < end; position++) {
      int slot = slotOf(position);
      if (spansAndRoots.get(2 * slot + 1) == null) {
        if (isAbandoned(slot)) {
          continue;
        }
        break; // the thread that claimed it reports a waiting span after publishing it
      }
      if (endNanos[slot] - endedUntil > 0) {
        wait = endNanos[slot] - endedUntil;
        break;
      }
    }
    due.lazySet(position);
    return wait;
  }

  /** Marks every span whose {@link #offer} has begun, and so each one whose offer has returned. */
  void markAllDue() {
    due.lazySet(tail.get());
  }

  /** Returns the position behind the last marked span. Positions only grow. */
  long dueEnd() {
    return due.get();
  }

  /** Returns the position behind the last span that was taken. */
  long taken() {
    return head.get();
  }

  /** Returns whether there is no span that was published or is about to be. */
  boolean isEmpty() {
    return head.get() == tail.get();
  }

  /** Returns whether there was no room a moment ago. */
  boolean isFull() {
    return tail.get() - head.get() >= capacity;
  }

  /** Returns how many spans were added so far. */
  long offered() {
    return tail.get();
  }

  /** Returns how many spans are in the queue, or were a moment ago. */
  long size() {
    long headNow = head.get(); // first, so that it is not beyond the tail
    return Math.min(capacity, tail.get() - headNow);
  }

  /**
   * Takes the first due spans, as many as the batch has room for. In place of an abandoned slot, it
   * has no local root.
   */
  void take(Batch batch) {
    long first = head.get();
    int count = (int) Math.min(Batch.LENGTH, due.get() - first);
    for (int i = 0; i < count; i++) {
      int slot = slotOf(first + i);
      LocalRoot root = (LocalRoot) awaitPublished(slot);
      batch.roots[i] = root;
      batch.spans[i] = root == null ? null : (ReadableSpan) spansAndRoots.get(2 * slot);
      if (root == null) {
        endNanos[slot] = 0; // the next span may be about to get this slot
      }
      spansAndRoots.lazySet(2 * slot, null);
      spansAndRoots.lazySet(2 * slot + 1, null);
    }
    batch.next.lazySet(0);
    batch.count = count;
    head.lazySet(first + count);
  }

  /**
   * Waits for an entry that misses only a few instructions of a thread that may have lost its CPU.
   * Returns null if that thread has abandoned it.
   */
  private @Nullable Object awaitPublished(int slot) {
    Object root = spansAndRoots.get(2 * slot + 1);
    for (int spins = 0; root == null && !isAbandoned(slot); spins++) {
      if (spins >= SPINS) {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
      root = spansAndRoots.get(2 * slot + 1);
    }
    return root;
  }

  private boolean isAbandoned(int slot) {
    return abandons && endNanos[slot] == ABANDONED;
  }

  private int slotOf(long position) {
    return (int) position & mask;
  }

  /** Spans that were taken, and their local roots. */
  static final class Batch {
    private static final int LENGTH = 64;

    final @Nullable ReadableSpan[] spans = new ReadableSpan[LENGTH];
    final @Nullable LocalRoot[] roots = new LocalRoot[LENGTH];
    final Position next = new Position(); // written for each span, so on a line of its own
    int count;
  }
}

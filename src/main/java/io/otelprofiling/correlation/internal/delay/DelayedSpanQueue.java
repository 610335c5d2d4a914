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
 * Bounded FIFO of ended local root spans and when they ended. Any thread may offer, without locks
 * and garbage. One thread at a time may mark spans as due, and one at a time may take those.
 *
 * <pre>
 *   head            due             tail
 *    | due, not yet  | not yet due,  | free
 *    | taken         | or claimed    |
 * </pre>
 *
 * <p>A thread that offers first claims a slot and then publishes its span there, and may be
 * descheduled in between. Such a slot is not due by its time. {@link #markAllDue} covers it all the
 * same, and whoever takes waits for it: no later span may be passed over because of it.
 *
 * <p>An entry is three fields of arrays, so that a span costs 16 bytes while it waits. Threads that
 * offer seldom touch what the other end writes, because a cache line that moves between processors
 * costs more than all the rest.
 */
final class DelayedSpanQueue {
  /** Result of {@link #markDue} when no span waits. */
  static final long EMPTY = Long.MAX_VALUE;

  private static final int SPINS = 100;
  private static final long PAUSE_NANOS = 50_000;

  private final int capacity;
  private final int mask;
  private final AtomicReferenceArray<@Nullable Object> spansAndRoots;
  private final long[] endNanos;

  private final Position tail = new Position();
  private final Position knownHead = new Position(); // as seen when the queue last seemed full
  private final Position due = new Position();
  private final Position head = new Position();

  DelayedSpanQueue(int capacity) {
    int slots = capacity <= 1 ? 1 : Integer.highestOneBit(capacity - 1) << 1;
    this.capacity = capacity;
    this.mask = slots - 1;
    this.spansAndRoots = new AtomicReferenceArray<>(2 * slots);
    this.endNanos = new long[slots];
  }

  /**
   * Returns false if the queue is full. Else, whoever declares that nobody comes for spans any more
   * and then marks all that are due has done so early enough for the caller to see that, or has
   * marked the span.
   */
  boolean offer(ReadableSpan span, LocalRoot root, long endNanos) {
    long position;
    do {
      position = tail.get();
      if (position - knownHead.get() >= capacity) {
        // Read after the tail: a position that still is the tail below has seen no younger head.
        long headNow = head.get();
        if (position - headNow >= capacity) {
          return false;
        }
        knownHead.lazySet(headNow);
      }
    } while (!tail.compareAndSet(position, position + 1));
    int slot = slotOf(position);
    this.endNanos[slot] = endNanos;
    spansAndRoots.lazySet(2 * slot, span);
    // From here on it can be seen. Not lazily: what the caller reads next, whether somebody still
    // comes for it, must not be read before that.
    spansAndRoots.set(2 * slot + 1, root);
    return true;
  }

  /**
   * Marks the spans that have ended by then.
   *
   * @return how many nanoseconds after that time the first of the others has ended, or {@link
   *     #EMPTY}
   */
  long markDue(long endedUntil) {
    long position = due.get();
    long wait = EMPTY;
    for (long end = tail.get(); position < end; position++) {
      int slot = slotOf(position);
      if (spansAndRoots.get(2 * slot + 1) == null) {
        break; // who claimed it will say that a span waits, once it does
      }
      if (endNanos[slot] - endedUntil > 0) {
        wait = endNanos[slot] - endedUntil;
        break;
      }
    }
    due.lazySet(position);
    return wait;
  }

  /** Marks every span whose {@link #offer} has begun, so each whose offer has returned. */
  void markAllDue() {
    due.lazySet(tail.get());
  }

  /** The position behind the last span that is marked. Positions only grow. */
  long dueEnd() {
    return due.get();
  }

  /** The position behind the last span that was taken. */
  long taken() {
    return head.get();
  }

  /** Whether there are spans to take. */
  boolean hasDue() {
    return head.get() != due.get();
  }

  /** How many have come in so far. */
  long offered() {
    return tail.get();
  }

  /** How many are in it, or have been a moment ago. */
  long size() {
    long headNow = head.get(); // first, so that it is not beyond the tail
    return Math.min(capacity, tail.get() - headNow);
  }

  /** Takes the first of the spans that are due, as many as the batch has room for. */
  void take(Batch batch) {
    long first = head.get();
    int count = (int) Math.min(Batch.LENGTH, due.get() - first);
    for (int i = 0; i < count; i++) {
      int slot = slotOf(first + i);
      batch.roots[i] = (LocalRoot) awaitPublished(2 * slot + 1);
      batch.spans[i] = (ReadableSpan) spansAndRoots.get(2 * slot);
      spansAndRoots.lazySet(2 * slot, null);
      spansAndRoots.lazySet(2 * slot + 1, null);
    }
    batch.next.lazySet(0);
    batch.count = count;
    head.lazySet(first + count);
  }

  /** What is missing are a few instructions of a thread that may have lost its CPU. */
  private Object awaitPublished(int index) {
    Object root = spansAndRoots.get(index);
    for (int spins = 0; root == null; spins++) {
      if (spins >= SPINS) {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
      root = spansAndRoots.get(index);
    }
    return root;
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

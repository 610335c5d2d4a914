/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.delay;

import io.flamespan.correlation.internal.localroot.LocalRoot;
import io.flamespan.correlation.internal.threads.Position;
import io.opentelemetry.sdk.trace.ReadableSpan;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A bounded FIFO of ended local root spans. Any thread may offer spans; offering takes no lock and
 * creates no garbage. One thread at a time marks spans as due and takes them.
 *
 * <pre>
 *   head            due             tail
 *    | due, not yet  | not yet due,  | free
 *    | taken         | or claimed    |
 * </pre>
 *
 * <p>A thread that offers a span first claims a position and then writes two references there.
 * Whoever has read the tail sees everything that was written before the claim, so all that these
 * references lead to; the references themselves may come later, each by itself. The thread may also
 * lose its CPU in between: {@link #markDue} stops at such a position, and {@link #first} waits for
 * it. Nothing is called in between, because a call may overflow the stack.
 *
 * <p>A position has 8 bytes. Threads that offer spans rarely touch memory that the consumer writes,
 * because a cache line that moves between processors costs more than everything else.
 */
final class SpanQueue {
  /** The result of {@link #markDue} if no spans wait. */
  static final long EMPTY = Long.MAX_VALUE;

  private static final int SPINS = 100;
  private static final long PAUSE_NANOS = 50_000;
  private static final long CLOSED = 1L << 62; // added to the tail
  private static final Ring NO_RING = new Ring(1);

  /** What waits, by position modulo the length. Null where nothing has been written. */
  private static final class Ring {
    final @Nullable ReadableSpan[] spans;
    final @Nullable LocalRoot[] roots;

    Ring(int length) {
      spans = new ReadableSpan[length];
      roots = new LocalRoot[length];
    }

    int index(long position) {
      return (int) position & (spans.length - 1);
    }
  }

  private final int capacity; // at most the length of the ring
  private Ring ring;

  private final Position tail = new Position();
  private final Position knownHead = new Position(); // the head when the queue last seemed full
  private final Position due = new Position();
  private final Position head = new Position();

  SpanQueue(int capacity) {
    this.capacity = capacity;
    this.ring = new Ring(capacity <= 1 ? 1 : Integer.highestOneBit(capacity - 1) << 1);
  }

  /**
   * Adds a span whose local root {@link LocalRoot#endedNanos knows when it ended}. Returns false if
   * the queue is full.
   *
   * <p>A thread may announce that spans are no longer released, and then mark all spans as due.
   * After an offer that returns true, either that thread has marked the span, or the caller sees
   * the announcement.
   */
  boolean offer(ReadableSpan span, LocalRoot root) {
    Ring ring = this.ring;
    long position;
    int index;
    do {
      position = tail.get();
      if (position - knownHead.get() >= capacity) {
        // Read after the tail: if the tail is unchanged below, this head is not beyond it.
        long headNow = head.get();
        if (position - headNow >= capacity) {
          return false;
        }
        knownHead.lazySet(headNow);
      }
      index = ring.index(position);
    } while (!tail.compareAndSet(position, position + 1));
    ring.spans[index] = span;
    ring.roots[index] = root;
    return true;
  }

  /**
   * Marks all spans that ended by this time as due.
   *
   * @param now the current time
   * @return nanoseconds from {@code endedUntil} to the end time of the first remaining span, or
   *     {@link #EMPTY}
   */
  long markDue(long endedUntil, long now) {
    Ring ring = this.ring;
    long position = due.get();
    long wait = EMPTY;
    for (long end = offered(); position < end; position++) {
      LocalRoot root = ring.roots[ring.index(position)];
      if (root == null) {
        break; // the consumer counts it as waiting, and so looks again
      }
      long left = root.endedNanos(now) - endedUntil;
      if (left > 0) {
        wait = left;
        break;
      }
    }
    due.lazySet(position);
    return wait;
  }

  /**
   * Marks every span before this position, which {@link #offered} has returned: every span whose
   * {@link #offer} had begun then, and so every span whose offer had returned.
   */
  void markDueUntil(long position) {
    if (position > due.get()) {
      due.lazySet(position);
    }
  }

  /** Returns how many spans have been removed. */
  long taken() {
    return head.get();
  }

  /** Returns whether a span is marked. */
  boolean hasDue() {
    return head.get() < due.get();
  }

  /** Returns how many spans have been added so far. */
  long offered() {
    return tail.get() & ~CLOSED;
  }

  /**
   * Returns the local root of the first marked span, which stays in the queue. Waits until both are
   * there: their thread needs only a few more instructions, but may have lost its CPU.
   */
  LocalRoot first() {
    Ring ring = this.ring;
    int index = ring.index(head.get());
    LocalRoot root = ring.roots[index];
    for (int spins = 0; root == null || ring.spans[index] == null; spins++) {
      if (spins >= SPINS) {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
      root = ring.roots[index];
    }
    return root;
  }

  /** Removes the first marked span, and returns it. */
  @SuppressWarnings("NullAway") // first has waited for it
  ReadableSpan remove() {
    Ring ring = this.ring;
    long position = head.get();
    int index = ring.index(position);
    ReadableSpan span = ring.spans[index];
    ring.spans[index] = null;
    ring.roots[index] = null;
    head.lazySet(position + 1);
    return span;
  }

  /** Refuses spans from now on, and frees the memory, if the queue is empty. */
  boolean close() {
    long end = head.get();
    if ((tail.get() & CLOSED) != 0) {
      return true;
    }
    if (!tail.compareAndSet(end, end | CLOSED)) {
      return false;
    }
    ring = NO_RING; // who has claimed a position before has made the tail differ
    return true;
  }
}

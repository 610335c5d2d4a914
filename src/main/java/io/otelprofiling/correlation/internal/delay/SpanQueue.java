/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.delay;

import io.opentelemetry.sdk.trace.ReadableSpan;
import io.otelprofiling.correlation.internal.localroot.LocalRoot;
import io.otelprofiling.correlation.internal.threads.Position;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A bounded FIFO of ended local root spans and their end times. Any thread may offer spans;
 * offering takes no lock and creates no garbage. One thread at a time marks spans as due and takes
 * them.
 *
 * <pre>
 *   head            due             tail
 *    | due, not yet  | not yet due,  | free
 *    | taken         | or claimed    |
 * </pre>
 *
 * <p>A thread that offers a span first claims a slot and then publishes the span in it. It may lose
 * its CPU in between: {@link #markDue} stops at such a slot, and {@link #first} waits for it.
 * Nothing is called in between, because a call may overflow the stack.
 *
 * <p>A slot has 32 bytes, and is created for the first span in it. Threads that offer spans rarely
 * touch memory that the consumer writes, because a cache line that moves between processors costs
 * more than everything else.
 */
final class SpanQueue {
  /** The result of {@link #markDue} if no spans wait. */
  static final long EMPTY = Long.MAX_VALUE;

  private static final int SPINS = 100;
  private static final long PAUSE_NANOS = 50_000;
  private static final long CLOSED = 1L << 62; // added to the tail
  private static final @Nullable Slot[] NO_SLOTS = new Slot[1];

  static final class Slot {
    @Nullable ReadableSpan span;
    long endNanos;
    volatile @Nullable LocalRoot root; // written after the above; null if there is no span

    /** Returns the span of a slot that is published. */
    @SuppressWarnings("NullAway")
    ReadableSpan span() {
      return span;
    }

    @SuppressWarnings("NullAway")
    LocalRoot root() {
      return root;
    }
  }

  private final int capacity; // at most the number of slots
  // Filled by the first spans. An element is written before the root of its slot.
  private @Nullable Slot[] slots;

  private final Position tail = new Position();
  private final Position knownHead = new Position(); // the head when the queue last seemed full
  private final Position due = new Position();
  private final Position head = new Position();

  SpanQueue(int capacity) {
    int length = capacity <= 1 ? 1 : Integer.highestOneBit(capacity - 1) << 1;
    this.capacity = capacity;
    this.slots = new Slot[length];
  }

  /**
   * Adds a span. Returns false if the queue is full.
   *
   * <p>A thread may announce that spans are no longer released, and then mark all spans as due.
   * After an offer that returns true, either that thread has marked the span, or the caller sees
   * the announcement.
   */
  boolean offer(ReadableSpan span, LocalRoot root, long endNanos) {
    @Nullable Slot[] ring = slots;
    long position;
    int index;
    Slot slot;
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
      index = (int) position & (ring.length - 1);
      slot = ring[index];
      if (slot == null) {
        slot = new Slot();
      }
    } while (!tail.compareAndSet(position, position + 1));
    if (ring[index] == null) {
      ring[index] = slot;
    }
    slot.span = span;
    slot.endNanos = endNanos;
    // Not a lazy write: the caller next reads whether the releaser sleeps, which looks here again
    // before it sleeps.
    slot.root = root;
    return true;
  }

  /**
   * Marks all spans that ended by this time as due.
   *
   * @return nanoseconds from this time to the end time of the first remaining span, or {@link
   *     #EMPTY}
   */
  long markDue(long endedUntil) {
    long position = due.get();
    long wait = EMPTY;
    for (long end = offered(); position < end; position++) {
      Slot slot = slotOf(position);
      if (slot == null || slot.root == null) {
        break; // the thread that claimed it reports a waiting span after publishing
      }
      if (slot.endNanos - endedUntil > 0) {
        wait = slot.endNanos - endedUntil;
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
   * Returns the first marked span, which stays in the queue. Waits until it is published: its
   * thread needs only a few more instructions, but may have lost its CPU.
   */
  Slot first() {
    Slot slot = slotOf(head.get());
    for (int spins = 0; slot == null || slot.root == null; spins++) {
      if (spins >= SPINS) {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
      slot = slotOf(head.get());
    }
    return slot;
  }

  /** Removes the first marked span. */
  void remove(Slot first) {
    first.span = null;
    first.root = null;
    head.lazySet(head.get() + 1);
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
    slots = NO_SLOTS; // who has claimed a slot before has made the tail differ
    return true;
  }

  private @Nullable Slot slotOf(long position) {
    @Nullable Slot[] ring = slots;
    return ring[(int) position & (ring.length - 1)];
  }
}

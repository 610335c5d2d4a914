/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.delay;

import io.opentelemetry.sdk.trace.ReadableSpan;
import io.otelprofiling.correlation.internal.localroot.LocalRoot;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A bounded FIFO of ended local root spans and their end times. Any thread may offer spans;
 * offering takes no lock and creates no garbage. One thread at a time may mark spans as due, and
 * one at a time may take due spans.
 *
 * <pre>
 *   head            due             tail
 *    | due, not yet  | not yet due,  | free
 *    | taken         | or claimed    |
 * </pre>
 *
 * <p>A thread that offers a span first claims a slot and then publishes the span in it. It may be
 * descheduled in between. {@link #markDue} stops at such a slot. {@link #markDueUntil} includes it,
 * and the thread that takes spans waits for it, because no span behind it may be left out. Nothing
 * is called in between, because a call may overflow the stack.
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

  static final class Slot {
    @Nullable ReadableSpan span;
    long endNanos;
    volatile @Nullable LocalRoot root; // written after the above; null if there is no span
  }

  private final int mask;
  // Filled by the first spans. An element is written before the root of its slot.
  private final @Nullable Slot[] slots;
  private volatile int limit; // of waiting spans, at most the number of slots

  private final Position tail = new Position();
  private final Position knownHead = new Position(); // the head when the queue last seemed full
  private final Position due = new Position();
  private final Position head = new Position();

  SpanQueue(int capacity) {
    int length = capacity <= 1 ? 1 : Integer.highestOneBit(capacity - 1) << 1;
    this.limit = capacity;
    this.mask = length - 1;
    this.slots = new Slot[length];
  }

  /** Sets how many spans may wait, which is at most the capacity. Spans that wait already stay. */
  void limit(int spans) {
    if (limit != spans) {
      limit = spans; // threads that offer spans read it
    }
  }

  /**
   * Adds a span. Returns false if the queue is full.
   *
   * <p>A thread may announce that spans are no longer released, and then mark all spans as due.
   * After an offer that returns true, either that thread has marked the span, or the caller sees
   * the announcement.
   */
  boolean offer(ReadableSpan span, LocalRoot root, long endNanos) {
    long position;
    Slot slot;
    do {
      position = tail.get();
      if (position - knownHead.get() >= limit) {
        // Read after the tail: if the tail is unchanged below, this head is not beyond it.
        long headNow = head.get();
        if (position - headNow >= limit) {
          return false;
        }
        knownHead.lazySet(headNow);
      }
      slot = slotOf(position);
      if (slot == null) {
        slot = new Slot();
      }
    } while (!tail.compareAndSet(position, position + 1));
    if (slots[(int) position & mask] == null) {
      slots[(int) position & mask] = slot;
    }
    slot.span = span;
    slot.endNanos = endNanos;
    // Publishes the span. This must not be a lazy write: the caller next reads whether the worker
    // sleeps, and that read must not move before this write. The worker looks here again before it
    // sleeps.
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
    for (long end = tail.get(); position < end; position++) {
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

  /** Returns the position after the last marked span. Positions only grow. */
  long dueEnd() {
    return due.get();
  }

  /** Returns the position after the last span that was taken. */
  long taken() {
    return head.get();
  }

  /** Returns true if the queue has no spans, not even claimed slots. */
  boolean isEmpty() {
    return head.get() == tail.get();
  }

  /** Returns whether the queue was full a moment ago. */
  boolean isFull() {
    long end = tail.get();
    return end - knownHead.get() >= limit && end - head.get() >= limit;
  }

  /** Returns how many spans have been added so far. */
  long offered() {
    return tail.get();
  }

  /** Returns how many spans are in the queue, as of a moment ago. */
  long size() {
    long headNow = head.get(); // first, so that it is not beyond the tail
    return Math.min(mask + 1, tail.get() - headNow);
  }

  /** Takes the first due spans, up to the size of the batch. */
  void take(Batch batch) {
    long first = head.get();
    int count = (int) Math.min(Batch.LENGTH, due.get() - first);
    for (int i = 0; i < count; i++) {
      Slot slot = awaitPublished(first + i);
      batch.roots[i] = slot.root;
      batch.spans[i] = slot.span;
      slot.span = null;
      slot.root = null;
    }
    batch.next.lazySet(0);
    batch.count = count;
    head.lazySet(first + count);
  }

  /**
   * Waits for an entry to be published. Its thread needs only a few more instructions, but may have
   * lost its CPU.
   */
  private Slot awaitPublished(long position) {
    Slot slot = slotOf(position);
    for (int spins = 0; slot == null || slot.root == null; spins++) {
      if (spins >= SPINS) {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
      slot = slotOf(position);
    }
    return slot;
  }

  private @Nullable Slot slotOf(long position) {
    return slots[(int) position & mask];
  }

  /** Spans taken from the queue, with their local roots, which leave the batch in order. */
  static final class Batch {
    static final int LENGTH = 64;

    final @Nullable ReadableSpan[] spans = new ReadableSpan[LENGTH];
    final @Nullable LocalRoot[] roots = new LocalRoot[LENGTH];
    final Position next = new Position(); // written for each span, hence on a separate cache line
    volatile int count; // written after the above

    /** Returns how many are left. Any thread may ask. */
    int left() {
      return (int) Math.max(0, count - next.get());
    }

    /** Returns the next span, if there is one. */
    @SuppressWarnings("NullAway") // the batch is filled up to its count
    ReadableSpan span() {
      return spans[(int) next.get()];
    }

    /** Returns the local root of the next span. */
    @SuppressWarnings("NullAway") // likewise
    LocalRoot root() {
      return roots[(int) next.get()];
    }

    /** Removes the next span. */
    void skip() {
      int skipped = (int) next.get();
      next.lazySet(skipped + 1);
      spans[skipped] = null;
      roots[skipped] = null;
    }
  }
}

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
 * and the thread that takes spans waits for it, because no span behind it may be left out. If the
 * stack of the offering thread overflows in between, that thread abandons the slot.
 *
 * <p>An entry consists of three array elements, so a waiting span costs 16 bytes. Threads that
 * offer spans rarely touch memory that the consumer writes, because a cache line that moves between
 * processors costs more than everything else.
 */
final class SpanQueue {
  /** The result of {@link #markDue} if no spans wait. */
  static final long EMPTY = Long.MAX_VALUE;

  private static final int SPINS = 100;
  private static final long PAUSE_NANOS = 50_000;

  /**
   * The end time that marks an abandoned slot. A real end time with this value is increased by one.
   */
  private static final long ABANDONED = Long.MIN_VALUE;

  private final int mask;
  private final AtomicReferenceArray<@Nullable Object> spansAndRoots;
  private final long[] endNanos;
  private volatile boolean abandons; // written after the end time of an abandoned slot
  private volatile int limit; // of waiting spans, at most the number of slots

  private final Position tail = new Position();
  private final Position knownHead = new Position(); // the head when the queue last seemed full
  private final Position due = new Position();
  private final Position head = new Position();

  SpanQueue(int capacity) {
    int slots = capacity <= 1 ? 1 : Integer.highestOneBit(capacity - 1) << 1;
    this.limit = capacity;
    this.mask = slots - 1;
    this.spansAndRoots = new AtomicReferenceArray<>(2 * slots);
    this.endNanos = new long[slots];
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
   *
   * @throws StackOverflowError if the stack is exhausted; the span is then not in the queue
   */
  boolean offer(ReadableSpan span, LocalRoot root, long endNanos) {
    long position;
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
    } while (!tail.compareAndSet(position, position + 1));
    int slot = (int) position & mask; // from here on, any call may overflow the stack
    try {
      this.endNanos[slot] = endNanos == ABANDONED ? endNanos + 1 : endNanos;
      spansAndRoots.lazySet(2 * slot, span);
      // Publishes the span. This must not be a lazy write: the caller next reads whether the worker
      // sleeps, and that read must not move before this write. The worker looks here again before
      // it sleeps.
      spansAndRoots.set(2 * slot + 1, root);
      return true;
    } catch (Throwable e) {
      this.endNanos[slot] = ABANDONED; // without a call, which might overflow the stack
      abandons = true;
      throw e;
    }
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
      int slot = slotOf(position);
      if (spansAndRoots.get(2 * slot + 1) == null) {
        if (isAbandoned(slot)) {
          continue;
        }
        break; // the thread that claimed it reports a waiting span after publishing
      }
      if (endNanos[slot] - endedUntil > 0) {
        wait = endNanos[slot] - endedUntil;
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

  /**
   * Takes the first due spans, up to the size of the batch. An abandoned slot yields an entry
   * without a local root.
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
        endNanos[slot] = 0; // the slot may be reused for the next span
      }
      spansAndRoots.lazySet(2 * slot, null);
      spansAndRoots.lazySet(2 * slot + 1, null);
    }
    batch.next.lazySet(0);
    batch.count = count;
    head.lazySet(first + count);
  }

  /**
   * Waits for an entry to be published. Its thread needs only a few more instructions, but may have
   * lost its CPU. Returns null if that thread has abandoned the slot.
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

  /** Spans taken from the queue, with their local roots, which leave the batch in order. */
  static final class Batch {
    private static final int LENGTH = 64;

    private final @Nullable ReadableSpan[] spans = new ReadableSpan[LENGTH];
    private final @Nullable LocalRoot[] roots = new LocalRoot[LENGTH];
    private final Position next =
        new Position(); // written for each span, hence on a separate cache line
    private volatile int count; // written after the above

    /** Returns how many are left. Any thread may ask. */
    int left() {
      return (int) Math.max(0, count - next.get());
    }

    /** Returns the next span, if there is one. */
    @SuppressWarnings("NullAway") // the batch is filled up to its count
    ReadableSpan span() {
      return spans[(int) next.get()];
    }

    /** Returns the local root of the next span, or null for an abandoned slot. */
    @Nullable LocalRoot root() {
      return roots[(int) next.get()];
    }

    /** Replaces the next span. */
    void replace(ReadableSpan span) {
      spans[(int) next.get()] = span;
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

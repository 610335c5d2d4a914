/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.span;

import io.opentelemetry.sdk.trace.ReadableSpan;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Bounded FIFO of ended local root spans and when they ended. Any thread may offer, without locks
 * and garbage; one at a time may take.
 *
 * <p>An entry is three fields of arrays, so that a span costs 16 bytes while it waits. Threads that
 * offer seldom touch what the other end writes, because a cache line that moves between processors
 * costs more than all the rest.
 */
final class DelayedSpanQueue {
  private final int capacity;
  private final int mask;
  private final AtomicReferenceArray<@Nullable Object> spansAndRoots;
  private final long[] endNanos;

  private final Position tail = new Position();
  private final Position knownHead = new Position(); // as seen when the queue last seemed full
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
   * and then finds the queue empty has done so early enough for the caller to see that.
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

  boolean isEmpty() {
    return spansAndRoots.get(2 * slotOf(head.get()) + 1) == null;
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

  /** When the first span ended, if there is one. */
  long firstEndNanos() {
    return endNanos[slotOf(head.get())];
  }

  /** Takes the first spans, as many as have ended by then and the batch has room for. */
  void take(Batch batch, long endedUntil) {
    long first = head.get();
    int count = 0;
    while (count < Batch.LENGTH) {
      int slot = slotOf(first + count);
      LocalRoot root = (LocalRoot) spansAndRoots.get(2 * slot + 1);
      if (root == null || endNanos[slot] - endedUntil > 0) {
        break;
      }
      batch.roots[count] = root;
      batch.spans[count] = (ReadableSpan) spansAndRoots.get(2 * slot);
      spansAndRoots.lazySet(2 * slot, null);
      spansAndRoots.lazySet(2 * slot + 1, null);
      count++;
    }
    batch.count = count;
    head.lazySet(first + count);
  }

  private int slotOf(long position) {
    return (int) position & mask;
  }

  /** Spans that were taken, and their local roots. */
  static final class Batch {
    private static final int LENGTH = 64;

    final @Nullable ReadableSpan[] spans = new ReadableSpan[LENGTH];
    final @Nullable LocalRoot[] roots = new LocalRoot[LENGTH];
    int count;
  }
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.span;

import io.opentelemetry.sdk.trace.ReadableSpan;
import java.util.NoSuchElementException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Bounded FIFO of ended local root spans and when they ended. Any thread may offer, without locks
 * and garbage; one at a time may look and take.
 *
 * <p>An entry is three fields of arrays, so that a span costs 16 bytes while it waits.
 */
final class DelayedSpanQueue {
  private static final AtomicLongFieldUpdater<DelayedSpanQueue> HEAD =
      AtomicLongFieldUpdater.newUpdater(DelayedSpanQueue.class, "head");

  private final int capacity;
  private final int mask;
  private final AtomicReferenceArray<@Nullable Object> spansAndRoots;
  private final long[] endNanos;
  private final AtomicLong tail = new AtomicLong();
  private volatile long head; // changed by the one that takes

  DelayedSpanQueue(int capacity) {
    int slots = capacity <= 1 ? 1 : Integer.highestOneBit(capacity - 1) << 1;
    this.capacity = capacity;
    this.mask = slots - 1;
    this.spansAndRoots = new AtomicReferenceArray<>(2 * slots);
    this.endNanos = new long[slots];
  }

  /** Returns false if the queue is full. */
  boolean offer(ReadableSpan span, LocalRoot root, long endNanos) {
    long position;
    do {
      // In this order: a position that is still the tail below has seen no younger head.
      position = tail.get();
      if (position - head >= capacity) {
        return false;
      }
    } while (!tail.compareAndSet(position, position + 1));
    int slot = (int) position & mask;
    this.endNanos[slot] = endNanos;
    spansAndRoots.lazySet(2 * slot, span);
    spansAndRoots.lazySet(2 * slot + 1, root); // from here on it can be seen
    return true;
  }

  /** The local root of the first span, null if there is none. */
  @Nullable LocalRoot firstRoot() {
    return (LocalRoot) spansAndRoots.get(2 * firstSlot() + 1);
  }

  /** When the first span ended, if there is one. */
  long firstEndNanos() {
    return endNanos[firstSlot()];
  }

  /**
   * Takes the first span.
   *
   * @throws NoSuchElementException if there is none
   */
  ReadableSpan takeFirst() {
    int slot = firstSlot();
    ReadableSpan span = (ReadableSpan) spansAndRoots.get(2 * slot);
    if (span == null) {
      throw new NoSuchElementException();
    }
    spansAndRoots.lazySet(2 * slot, null);
    spansAndRoots.lazySet(2 * slot + 1, null);
    HEAD.lazySet(this, head + 1);
    return span;
  }

  private int firstSlot() {
    return (int) head & mask;
  }
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.delay;

import io.opentelemetry.sdk.trace.ReadableSpan;
import io.otelprofiling.correlation.internal.localroot.LocalRoot;
import java.util.function.BooleanSupplier;

/**
 * The spans that wait for one processor, and how they leave: in order, each once, and only while
 * the {@link Window} of the processor is open. Any thread may offer a span or ask for numbers. The
 * other methods are called in the rounds of the {@link Releaser}.
 */
final class WaitingSpans {
  /** The result of {@link #offer} if the queue is full. */
  static final long FULL = Long.MIN_VALUE;

  private final Downstream downstream;
  private final SpanProcessors shared;
  private final Window window;
  private final PendingResults results;
  final SpanQueue queue;
  private final SpanQueue.Batch batch = new SpanQueue.Batch();
  private final Pace pace;
  private volatile int mayWait;

  /**
   * Creates an empty queue.
   *
   * @param results is told that the processor makes progress
   */
  WaitingSpans(
      Downstream downstream, SpanProcessors shared, Window window, PendingResults results) {
    this.downstream = downstream;
    this.shared = shared;
    this.window = window;
    this.results = results;
    this.queue = new SpanQueue(shared.capacity);
    this.pace = window.pace();
    limitQueue();
  }

  /**
   * Adds a span whose local root the caller has retained. The local root is released after the span
   * has been passed on.
   *
   * @return the current time, or {@link #FULL} if the queue is full; in that case the caller must
   *     release the local root
   */
  long offer(ReadableSpan span, LocalRoot root) {
    if (queue.isFull()) {
      return FULL; // without reading the clock
    }
    long now = shared.delay.nanoTime();
    return queue.offer(span, root, now) ? now : FULL;
  }

  /** Returns whether no spans wait, not even one that is just being added. */
  boolean isEmpty() {
    return queue.isEmpty() && batch.left() == 0;
  }

  /** Returns how many spans wait, as of a moment ago. */
  long size() {
    return queue.size() + batch.left();
  }

  /** Returns how many spans may wait: see {@link Pace}. */
  int mayWait() {
    return mayWait;
  }

  /** Returns how many of the offered spans have left. */
  long left() {
    return queue.taken() - batch.left();
  }

  /**
   * Passes on due spans, so it ends even if others keep offering spans. Re-entrant, because a
   * processor may flush or shut down while it receives a span.
   *
   * @param end the number of offered spans that have left afterwards, at most {@link
   *     SpanQueue#dueEnd}
   * @param isLate asked before each span; if true, no more spans are passed on
   * @return false if there was no room for all of them, or it was late
   */
  boolean passOn(long end, BooleanSupplier isLate) {
    while (left() < end) {
      if (!window.isOpen() || isLate.getAsBoolean()) {
        return false;
      }
      if (batch.left() == 0) {
        queue.take(batch);
      }
      passOnNext();
    }
    return true;
  }

  private void passOnNext() {
    LocalRoot root = batch.root();
    ReadableSpan span = downstream.withIds(batch.span(), root, window);
    batch.skip(); // from here on, it is not passed on again
    // Not in a static method of that class: it may have failed to initialize.
    window.give(span instanceof CorrelatedSpan ? ((CorrelatedSpan) span).mark() : null);
    downstream.onDelayedEnd(span);
    release(root);
    results.madeProgress();
  }

  /** Drops all spans. Returns how many these were. */
  long drop() {
    long before = left();
    queue.markDueUntil(queue.offered());
    while (left() < queue.dueEnd()) {
      if (batch.left() == 0) {
        queue.take(batch);
      }
      LocalRoot root = batch.root();
      batch.skip();
      release(root);
    }
    return left() - before;
  }

  /** Releases a retained local root. */
  void release(LocalRoot root) {
    shared.localRoots.release(root);
  }

  /** Records that the processor took this many spans in this time, and limits the queue to that. */
  void took(long spans, long nanos) {
    if (spans > 0) {
      pace.took(spans, nanos);
      limitQueue();
    }
  }

  private void limitQueue() {
    mayWait = pace.mayWait(shared.capacity);
    queue.limit(mayWait);
  }
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.delay;

import io.opentelemetry.sdk.trace.ReadableSpan;
import io.otelprofiling.correlation.internal.localroot.LocalRoot;
import io.otelprofiling.correlation.internal.localroot.LocalRootSpans;
import io.otelprofiling.correlation.internal.log.RateLimitedLogger;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The spans that wait for one processor, and the steps that pass them on. Any thread may offer a
 * span. The releaser's thread handles the messages that have arrived, marks what is due, and passes
 * it on. It wakes up for this as soon as a span is due, but no earlier than ten milliseconds after
 * the last time.
 */
final class WaitingSpans {
  // Each release wakes a thread, and an earlier export is worth less than that if spans are many.
  private static final long BATCH_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long PAUSE_AFTER_ERROR_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  // The releaser's thread may have been ended by an error if it has not looked for so long.
  private static final long LATE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final int TRIES = 2; // memory may be free again

  /** The result of {@link #offer} if the queue is full. */
  static final long FULL = Long.MIN_VALUE;

  private static final long NOBODY_LOOKS = 0;

  private final Downstream downstream;
  private final LocalRootSpans localRoots;
  private final SamplesDelay delay;
  private final DelayingSpanProcessor.Scheduler scheduler;
  private final SpanReleaser releaser;
  private final LongSupplier nanoClock;
  private final SpanQueue queue;
  private final Object dueLock = new Object();
  private final LongSupplier look = this::look;
  private final AtomicLong looksBy = new AtomicLong(NOBODY_LOOKS); // at which time, or not at all
  // Used by the releaser's thread only.
  private boolean inBatches;
  private final SpanQueue.Batch batch = new SpanQueue.Batch();
  private boolean finished;
  private final RateLimitedLogger logger =
      new RateLimitedLogger(Logger.getLogger(DelayingSpanProcessor.class.getName()));

  WaitingSpans(
      Downstream downstream,
      LocalRootSpans localRoots,
      SamplesDelay delay,
      DelayingSpanProcessor.Scheduler scheduler,
      SpanReleaser releaser,
      int capacity,
      LongSupplier nanoClock) {
    this.downstream = downstream;
    this.localRoots = localRoots;
    this.delay = delay;
    this.scheduler = scheduler;
    this.releaser = releaser;
    this.nanoClock = nanoClock;
    this.queue = new SpanQueue(capacity);
  }

  /**
   * Adds a span whose local root the caller has retained. The local root is released after the span
   * was passed on.
   *
   * @return the time, or {@link #FULL} if the queue is full; the caller then releases the local
   *     root
   */
  long offer(ReadableSpan span, LocalRoot root) {
    if (queue.isFull()) {
      return FULL; // without a look at the clock
    }
    long now = nanoClock.getAsLong();
    return queue.offer(span, root, now) ? now : FULL;
  }

  /**
   * Ensures that an added span is released in time. Costs one read while others wait.
   *
   * @param now when it was added
   */
  void ensureRelease(long now) {
    long by = looksBy.get();
    if ((by == NOBODY_LOOKS || now - by > 0)
        && looksBy.compareAndSet(by, lookBy(now, 0))
        && !giveRelease()) {
      looksBy.set(NOBODY_LOOKS);
    }
  }

  private static long lookBy(long now, long wait) {
    return now + wait + LATE_NANOS | 1; // never NOBODY_LOOKS
  }

  /**
   * Passes on what is due, and decides when to look again. Called on the releaser's thread; never
   * throws.
   *
   * @return nanoseconds until the next call, or {@link SpanReleaser#NEVER}
   */
  long look() {
    long wait = PAUSE_AFTER_ERROR_NANOS;
    try {
      long released = queue.taken();
      long untilDue = releaseDue();
      // A span that ends from now on is due after the delay, so it needs nobody to be woken.
      wait = Math.max(Math.min(untilDue, delay.nanos()), BATCH_NANOS);
      if (untilDue == SpanQueue.EMPTY && queue.taken() == released && maySleep(wait)) {
        return SpanReleaser.NEVER;
      }
    } catch (Throwable e) {
      logger.warn("Delayed spans were not passed on", e);
    }
    looksBy.set(lookBy(nanoClock.getAsLong(), wait));
    return wait;
  }

  private boolean maySleep(long wait) {
    looksBy.set(NOBODY_LOOKS);
    // A span that was added before the line above has woken nobody.
    return queue.isEmpty()
        || !looksBy.compareAndSet(NOBODY_LOOKS, lookBy(nanoClock.getAsLong(), wait));
  }

  /**
   * Passes on the spans that have waited for the delay, after all messages that had arrived when
   * this began. Later messages may be for spans that have ended later.
   *
   * @return nanoseconds until the next span is due, or {@link SpanQueue#EMPTY}
   */
  long releaseDue() {
    long began = nanoClock.getAsLong();
    scheduler.handleMessages(inBatches ? 2 * BATCH_NANOS : 0);
    long wait;
    synchronized (dueLock) {
      wait = queue.markDue(began - delay.nanos());
    }
    inBatches = wait <= BATCH_NANOS;
    releaseUntil(queue.dueEnd());
    return wait == SpanQueue.EMPTY ? wait : wait - (nanoClock.getAsLong() - began);
  }

  /**
   * Marks every span whose {@link #offer} has begun.
   *
   * @return the position for {@link #releaseUntil}
   */
  long markAllDue() {
    synchronized (dueLock) {
      queue.markAllDue();
      return queue.dueEnd();
    }
  }

  /** Schedules the release of all spans, when nobody waits any more until they are due. */
  void releaseLeftOver() {
    long unused = markAllDue();
    boolean unusedToo = queue.isEmpty() || giveRelease();
  }

  /** Schedules {@link #look}. Returns false, after a warning, if that is impossible. */
  private boolean giveRelease() {
    for (int i = 0; i < TRIES; i++) {
      try {
        releaser.repeat(look);
        return true;
      } catch (Throwable e) {
        logger.warn("Delayed spans wait for the next one: no thread could pass them on", e);
      }
    }
    return false;
  }

  /** Passes all waiting spans on. Called on the releaser's thread. */
  void releaseAll() {
    releaseUntil(markAllDue());
  }

  /** Passes all waiting spans on, and drops later ones. Called on the releaser's thread. */
  void releaseLast() {
    releaseAll();
    finished = true;
  }

  /**
   * Passes the marked spans on up to this position, and so ends even while others offer more.
   * Called on the releaser's thread. Re-entrant, because a processor may flush or shut down while
   * it is given a span.
   */
  @SuppressWarnings("NullAway") // the batch is filled up to its count
  void releaseUntil(long end) {
    if (finished) {
      discardAll();
      return;
    }
    while (queue.taken() - (batch.count - batch.next.get()) < end
        && (batch.next.get() < batch.count || takeInto(batch))) {
      int next = (int) batch.next.get();
      LocalRoot root = batch.roots[next];
      if (root == null) {
        batch.next.lazySet(next + 1); // an abandoned slot
        continue;
      }
      // All that needs memory comes before the span counts as passed on. It is stored, because
      // HotSpot otherwise allocates it later, and drops this whole frame with the span if it
      // cannot.
      batch.spans[next] = downstream.withIds(batch.spans[next], root);
      ReadableSpan span = batch.spans[next];
      batch.next.lazySet(next + 1);
      batch.spans[next] = null;
      batch.roots[next] = null;
      downstream.onDelayedEnd(span);
      release(root);
      releaser.madeProgress();
    }
  }

  /** Drops spans that came too late: the processor was shut down and accepts no more. */
  private void discardAll() {
    long unused = markAllDue();
    while (takeInto(batch)) {
      for (int i = 0; i < batch.count; i++) {
        batch.spans[i] = null;
        release(batch.roots[i]);
        batch.roots[i] = null;
      }
      batch.next.lazySet(batch.count);
    }
  }

  private boolean takeInto(SpanQueue.Batch batch) {
    queue.take(batch);
    return batch.count > 0;
  }

  /** Undoes that the local root was retained. Never throws. */
  void release(@Nullable LocalRoot root) {
    try {
      if (root != null) {
        localRoots.release(root);
      }
    } catch (Throwable e) {
      logger.warn("A local root span is retained for longer than it should be", e);
    }
  }

  /** Returns how many spans have waited or still wait. */
  long offered() {
    return queue.offered();
  }

  /** Returns how many spans wait. */
  long size() {
    return queue.size();
  }
}

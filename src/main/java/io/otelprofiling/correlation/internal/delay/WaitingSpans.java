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
 * span. The releaser's thread handles the messages that have arrived, marks the due spans and
 * passes them on. It wakes up as soon as a span is due, but at most once every ten milliseconds.
 */
final class WaitingSpans {
  // Every release wakes a thread. With many spans, exporting them sooner is not worth that.
  private static final long BATCH_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long PAUSE_AFTER_ERROR_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  // If the releaser's thread is this late, an error may have ended it.
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
  private final AtomicLong looksBy = new AtomicLong(NOBODY_LOOKS); // a deadline, or NOBODY_LOOKS
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
   * has been passed on.
   *
   * @return the current time, or {@link #FULL} if the queue is full; in that case the caller must
   *     release the local root
   */
  long offer(ReadableSpan span, LocalRoot root) {
    if (queue.isFull()) {
      return FULL; // without reading the clock
    }
    long now = nanoClock.getAsLong();
    return queue.offer(span, root, now) ? now : FULL;
  }

  /**
   * Ensures that an added span is released in time. Costs one read if other spans already wait.
   *
   * @param now the time at which the span was added
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
   * Passes on the due spans, and decides when to look again. Called on the releaser's thread. Never
   * throws.
   *
   * @return nanoseconds until the next call, or {@link SpanReleaser#NEVER}
   */
  long look() {
    long wait = PAUSE_AFTER_ERROR_NANOS;
    try {
      long released = queue.taken();
      long untilDue = releaseDue();
      // A span that ends from now on is due only after the delay, so it does not need to wake this
      // thread.
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
    // A span that was added before the line above did not wake this thread.
    return queue.isEmpty()
        || !looksBy.compareAndSet(NOBODY_LOOKS, lookBy(nanoClock.getAsLong(), wait));
  }

  /**
   * Passes on the spans that have waited for the samples delay, after all messages that had arrived
   * when this call began. Later messages may belong to spans that ended later.
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

  /** Schedules the release of all spans when no thread waits for them to become due any more. */
  void releaseLeftOver() {
    long unused = markAllDue();
    boolean unusedToo = queue.isEmpty() || giveRelease();
  }

  /** Schedules {@link #look}. Logs a warning and returns false if that fails. */
  private boolean giveRelease() {
    for (int i = 0; i < TRIES; i++) {
      try {
        releaser.repeat(look);
        return true;
      } catch (Throwable e) {
        logger.warn("Delayed spans wait until another span ends: no thread could pass them on", e);
      }
    }
    return false;
  }

  /** Passes on all waiting spans. Called on the releaser's thread. */
  void releaseAll() {
    releaseUntil(markAllDue());
  }

  /** Passes on all waiting spans, and drops later ones. Called on the releaser's thread. */
  void releaseLast() {
    releaseAll();
    finished = true;
  }

  /**
   * Passes on the marked spans up to this position, so it ends even if others keep offering spans.
   * Called on the releaser's thread. Re-entrant, because a processor may flush or shut down while
   * it receives a span.
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
      // Everything that needs memory comes before the span counts as passed on. The result is
      // stored, because HotSpot would otherwise postpone the allocation and, if that failed, drop
      // this whole frame together with the span.
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

  /** Drops spans that came too late: the processor was shut down and accepts nothing. */
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

  /** Releases a retained local root. Never throws. */
  void release(@Nullable LocalRoot root) {
    try {
      if (root != null) {
        localRoots.release(root);
      }
    } catch (Throwable e) {
      logger.warn("A local root span is retained for longer than it should be", e);
    }
  }

  /** Returns how many spans have been delayed, including those that still wait. */
  long offered() {
    return queue.offered();
  }

  /** Returns how many spans wait. */
  long size() {
    return queue.size();
  }
}

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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The spans that wait for one processor, and the steps that pass them on. Any thread may offer a
 * span. The worker marks spans as due; the releaser's thread takes the marked ones and passes them
 * on.
 */
final class DelayedSpans {
  private static final long PAUSE_AFTER_ERROR_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final Downstream downstream;
  private final LocalRootSpans localRoots;
  private final SpanReleaser releaser;
  private final LongSupplier nanoClock;
  private final DelayedSpanQueue queue;
  private final Object dueLock = new Object();
  private final Runnable releaseStep = this::releaseStep;
  private final AtomicBoolean releaseGiven = new AtomicBoolean();
  // Used by the releaser's thread only.
  private final DelayedSpanQueue.Batch batch = new DelayedSpanQueue.Batch();
  private boolean finished;
  private final RateLimitedLogger logger =
      new RateLimitedLogger(Logger.getLogger(DelayingSpanProcessor.class.getName()));

  DelayedSpans(
      Downstream downstream,
      LocalRootSpans localRoots,
      SpanReleaser releaser,
      int capacity,
      LongSupplier nanoClock) {
    this.downstream = downstream;
    this.localRoots = localRoots;
    this.releaser = releaser;
    this.nanoClock = nanoClock;
    this.queue = new DelayedSpanQueue(capacity);
  }

  /**
   * Adds a span whose local root the caller has retained. The local root is released after the span
   * was passed on. Returns false if the queue is full; the caller then releases the local root.
   */
  boolean offer(ReadableSpan span, LocalRoot root) {
    return queue.offer(span, root, nanoClock.getAsLong());
  }

  /**
   * Marks the spans that had waited for the delay at this time, and schedules their release. Called
   * by one thread; never throws.
   *
   * @return nanoseconds until the next call, or {@link DelayedSpanQueue#EMPTY}
   */
  long releaseDue(long messagesReadSince, long delayNanos) {
    try {
      long wait;
      synchronized (dueLock) {
        wait = queue.markDue(messagesReadSince - delayNanos);
      }
      if (queue.hasDue() && !giveRelease()) {
        return PAUSE_AFTER_ERROR_NANOS;
      }
      return Math.min(wait, releaser.checkProgress(nanoClock.getAsLong()));
    } catch (Throwable e) {
      logger.warn("Delayed spans were not passed on", e);
      return PAUSE_AFTER_ERROR_NANOS;
    }
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

  /**
   * Schedules the release of spans that were offered when {@link #releaseDue} was no longer called.
   */
  void releaseLeftOver() {
    long unused = markAllDue();
    boolean unusedToo = !queue.hasDue() || giveRelease();
  }

  /**
   * Schedules the release of marked spans. Returns false, after a warning, if that is impossible.
   */
  private boolean giveRelease() {
    // Written even if it is set: the step that takes it back then sees what was marked before. A
    // failed compareAndSet is only a read, which may be earlier than the lazy write of the mark.
    if (releaseGiven.getAndSet(true)) {
      return true;
    }
    try {
      releaser.execute(releaseStep);
      return true;
    } catch (Throwable e) {
      releaseGiven.set(false);
      logger.warn("Delayed spans keep waiting: no thread could be created to pass them on", e);
      return false;
    }
  }

  private void releaseStep() {
    boolean unused = releaseGiven.getAndSet(false); // reads what giveRelease wrote
    releaseUntil(queue.dueEnd());
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
      batch.next.lazySet(next + 1);
      ReadableSpan span = batch.spans[next];
      LocalRoot root = batch.roots[next];
      batch.spans[next] = null;
      batch.roots[next] = null;
      downstream.onDelayedEnd(span, root);
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

  private boolean takeInto(DelayedSpanQueue.Batch batch) {
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

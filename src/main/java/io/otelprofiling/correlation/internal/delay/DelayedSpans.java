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
 * The spans that wait for one processor, and their way to it. Any thread may offer. The worker
 * marks what is due; the releaser's thread takes what is marked and passes it on.
 */
final class DelayedSpans {
  private static final long PAUSE_AFTER_ERROR_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final Downstream downstream;
  private final LocalRootSpans localRoots;
  private final SpanReleaser releaser;
  private final ClosingGate gate;
  private final LongSupplier nanoClock;
  private final DelayedSpanQueue queue;
  private final Object dueLock = new Object();
  private final Runnable releaseStep = this::releaseStep;
  private final AtomicBoolean releaseGiven = new AtomicBoolean();
  private final DelayedSpanQueue.Batch batch = new DelayedSpanQueue.Batch(); // of the releaser
  private final RateLimitedLogger logger =
      new RateLimitedLogger(Logger.getLogger(DelayingSpanProcessor.class.getName()));

  DelayedSpans(
      Downstream downstream,
      LocalRootSpans localRoots,
      SpanReleaser releaser,
      ClosingGate gate,
      int capacity,
      LongSupplier nanoClock) {
    this.downstream = downstream;
    this.localRoots = localRoots;
    this.releaser = releaser;
    this.gate = gate;
    this.nanoClock = nanoClock;
    this.queue = new DelayedSpanQueue(capacity);
  }

  /** Returns false if there is no room. The caller retains the local root until then. */
  boolean offer(ReadableSpan span, LocalRoot root) {
    return queue.offer(span, root, nanoClock.getAsLong());
  }

  /**
   * Marks what has waited for the delay, and has it passed on. Called by one thread; never throws.
   *
   * @return nanoseconds until it is to be called again, or {@link DelayedSpanQueue#EMPTY}
   */
  long releaseDue(long delayNanos) {
    try {
      long now = nanoClock.getAsLong();
      long wait;
      synchronized (dueLock) {
        wait = queue.markDue(now - delayNanos);
      }
      if (queue.hasDue() && !giveRelease()) {
        return PAUSE_AFTER_ERROR_NANOS;
      }
      return Math.min(wait, releaser.checkProgress(now));
    } catch (Throwable e) {
      logger.warn("Delayed spans were not passed on", e);
      return PAUSE_AFTER_ERROR_NANOS;
    }
  }

  /**
   * Marks every span whose {@link #offer} has begun.
   *
   * @return the position up to which {@link #releaseUntil} is to go
   */
  long markAllDue() {
    synchronized (dueLock) {
      queue.markAllDue();
      return queue.dueEnd();
    }
  }

  /** Sees to the spans that were offered when nobody came for them any more. */
  void releaseLeftOver() {
    long unused = markAllDue();
    boolean unusedToo = !queue.hasDue() || giveRelease();
  }

  /** Has marked spans passed on by the releaser. Returns false, after a warning, if it cannot. */
  private boolean giveRelease() {
    if (!releaseGiven.compareAndSet(false, true)) {
      return true;
    }
    try {
      releaser.execute(releaseStep);
      return true;
    } catch (Throwable e) {
      releaseGiven.set(false);
      logger.warn("There is no thread to pass delayed spans on, they wait on", e);
      return false;
    }
  }

  private void releaseStep() {
    releaseGiven.set(false);
    if (gate.isClosed()) {
      discardAll();
    } else {
      releaseUntil(queue.dueEnd());
    }
  }

  /** Passes everything on that waits. On the releaser's thread. */
  void releaseAll() {
    releaseUntil(markAllDue());
  }

  /**
   * Passes on what is marked up to this position, and so comes to an end while others offer more.
   * On the releaser's thread; re-entrant, because a processor may flush or shut down while it is
   * given a span.
   */
  @SuppressWarnings("NullAway") // the batch is filled up to its count
  void releaseUntil(long end) {
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

  /** Drops what came too late: the processor was shut down and takes no more. */
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

  private void release(@Nullable LocalRoot root) {
    try {
      if (root != null) {
        localRoots.release(root);
      }
    } catch (Throwable e) {
      logger.warn("A local root span stays known longer than it should", e);
    }
  }

  /** How many have waited or do. */
  long offered() {
    return queue.offered();
  }

  /** How many wait. */
  long size() {
    return queue.size();
  }
}

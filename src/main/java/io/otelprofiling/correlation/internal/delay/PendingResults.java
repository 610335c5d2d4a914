/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.delay;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.otelprofiling.correlation.internal.log.RateLimitedLogger;
import io.otelprofiling.correlation.internal.threads.DaemonThread;
import io.otelprofiling.correlation.internal.threads.LastingThread;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The flushes and shutdowns of one processor that somebody waits for. They fail if the processor
 * blocks the releaser for too long. A thread of this class looks after them; it ends when nothing
 * has been pending for a second, or with the last result of the processor. Thread-safe.
 */
final class PendingResults {
  /** How long a processor may block before the pending flushes and shutdowns fail. */
  static final long BLOCKED_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** The result of {@link #check} if nothing is pending. */
  static final long NOTHING_PENDING = Long.MAX_VALUE;

  private static final String FAILURE =
      "A flush or shutdown may never complete if its span processor blocks";
  private static final long CHECK_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final LongSupplier nanoClock;
  private final Runnable onCheck;
  private final Queue<CompletableResultCode> pending = new ConcurrentLinkedQueue<>();
  private final RateLimitedLogger logger = new RateLimitedLogger(DelayingSpanProcessor.class);
  private final LastingThread thread =
      new LastingThread("otel-profiling-watch", this::round, logger, FAILURE);
  private final Position progress = new Position(); // written for each span
  private volatile @Nullable Thread working; // the releaser's thread during a round
  private long progressSeen; // guarded by this, as are the next two fields
  private long seenAtNanos;
  private boolean watching;
  private volatile boolean ended;
  private boolean lingers; // used by the thread only

  /**
   * Prepares for results.
   *
   * @param onCheck runs each second while a result is pending
   */
  PendingResults(LongSupplier nanoClock, Runnable onCheck) {
    this.nanoClock = nanoClock;
    this.onCheck = onCheck;
  }

  /** Reports that a round of the releaser begins, on this thread. */
  void beginRound() {
    working = Thread.currentThread();
  }

  /** Reports that the round has ended. */
  void endRound() {
    working = null;
    madeProgress();
  }

  /** Returns whether the releaser calls the caller, through the processor. */
  boolean isWithinRound() {
    return working == Thread.currentThread();
  }

  /** Records that the processor does not block. Called by the releaser. */
  void madeProgress() {
    progress.lazySet(progress.get() + 1);
  }

  /** Fails the result if the processor blocks for {@link #BLOCKED_NANOS}. Never throws. */
  void watch(CompletableResultCode result) {
    try {
      pending.add(result);
      thread.wake();
    } catch (Throwable e) {
      logger.warn(FAILURE, e);
    }
  }

  /** Watches the result no longer: from now on, it depends on the processor alone. */
  void forget(CompletableResultCode result) {
    pending.remove(result);
  }

  /** Like {@link #forget}, for the shutdown, after which there are hardly any more. */
  void end(CompletableResultCode shutdown) {
    forget(shutdown);
    ended = true;
    if (thread.isAlive()) {
      thread.wake(); // otherwise it would end a second later
    }
  }

  /** Returns what {@link LastingThread} does next. Called by the thread. */
  long round() {
    long wait = check(nanoClock.getAsLong());
    if (wait != NOTHING_PENDING) {
      lingers = false;
      onCheck.run();
      return Math.min(wait, CHECK_NANOS);
    }
    boolean ends = lingers || ended;
    lingers = !ends;
    return ends ? LastingThread.END : CHECK_NANOS;
  }

  /**
   * Fails the pending results if a round has made no progress for too long.
   *
   * @return nanoseconds until the next call, or {@link #NOTHING_PENDING}
   */
  synchronized long check(long nowNanos) {
    pending.removeIf(CompletableResultCode::isDone);
    if (pending.isEmpty()) {
      watching = false;
      return NOTHING_PENDING;
    }
    long progressNow = progress.get();
    if (!watching || progressNow != progressSeen || working == null) {
      watching = true;
      progressSeen = progressNow;
      seenAtNanos = nowNanos;
    }
    long left = seenAtNanos + BLOCKED_NANOS - nowNanos;
    if (left > 0) {
      return left;
    }
    logger.warn(
        "A span processor has blocked for "
            + TimeUnit.NANOSECONDS.toSeconds(BLOCKED_NANOS)
            + " s on a delayed span: pending flushes and shutdowns fail. Its spans keep waiting for"
            + " it");
    // Listeners of a result may run arbitrary code, so they must not run on this thread.
    DaemonThread.create(() -> pending.forEach(CompletableResultCode::fail), "otel-profiling-fail")
        .start();
    watching = false;
    return BLOCKED_NANOS;
  }
}

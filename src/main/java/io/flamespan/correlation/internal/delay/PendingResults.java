/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.delay;

import io.flamespan.correlation.internal.log.RateLimitedLogger;
import io.flamespan.correlation.internal.threads.DaemonThread;
import io.flamespan.correlation.internal.threads.LastingThread;
import io.opentelemetry.sdk.common.CompletableResultCode;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The flushes and the shutdown of one processor that somebody waits for: a flush that is pending,
 * and one that all who call meanwhile share. They fail if the processor blocks the releaser for ten
 * seconds, which a thread looks for while any is pending. Thread-safe.
 */
final class PendingResults {
  private static final long BLOCKED_SECONDS = 10;
  private static final long CHECK_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final String FAILURE =
      "A flush or shutdown may never complete if its span processor blocks";

  private final LongSupplier progress;
  private final Runnable onCheck;
  private final AtomicReference<@Nullable CompletableResultCode> asked = new AtomicReference<>();
  private final AtomicReference<@Nullable CompletableResultCode> flush = new AtomicReference<>();
  private final AtomicReference<@Nullable CompletableResultCode> shutdown = new AtomicReference<>();
  private final RateLimitedLogger logger = new RateLimitedLogger(PendingResults.class);
  private final LastingThread thread =
      new LastingThread("flamespan-watch", this::round, logger, FAILURE);
  private volatile boolean watching;
  private long progressSeen; // used in rounds
  private long checks; // without progress

  /**
   * Prepares for results.
   *
   * @param progress returns a number that changes with each span and each round of the releaser, or
   *     -1 between its rounds
   * @param onCheck runs each second while a result is pending
   */
  PendingResults(LongSupplier progress, Runnable onCheck) {
    this.progress = progress;
    this.onCheck = onCheck;
  }

  /** Returns the result of the next flush, which all share who call this before {@link #take}. */
  CompletableResultCode ask() {
    CompletableResultCode mine = new CompletableResultCode();
    while (true) {
      CompletableResultCode shared = asked.get();
      if (shared != null) {
        return shared;
      }
      if (asked.compareAndSet(null, mine)) {
        watch();
        return mine;
      }
    }
  }

  /** Returns whether somebody has asked for a flush that is not pending yet. */
  boolean isAsked() {
    return asked.get() != null;
  }

  /** Makes the next flush the pending one if there is none. Returns whether it did. */
  synchronized boolean take() {
    CompletableResultCode next = asked.get();
    if (next == null || isFlushing()) {
      return false;
    }
    flush.set(next); // first, so that one of the two is watched at any time
    return asked.compareAndSet(next, null);
  }

  /** Returns whether a flush is pending. */
  boolean isFlushing() {
    return flush.get() != null;
  }

  /** Flushes the processor for those who wait for the pending flush. */
  void flush(Downstream downstream) {
    CompletableResultCode pending = flush.getAndSet(null);
    if (pending != null) {
      downstream.flushInto(pending);
    }
  }

  /** Lets the result of a shutdown fail if the processor blocks. */
  void watch(CompletableResultCode result) {
    shutdown.set(result);
    watch();
  }

  /** Watches the shutdown no longer: from now on, it depends on the processor alone. */
  void forgetShutdown() {
    shutdown.set(null);
  }

  private void watch() {
    if (!watching) {
      watching = true;
      if (!thread.tryWake(FAILURE)) {
        watching = false;
      }
    }
  }

  private boolean isPending() {
    return isAsked() || isFlushing() || shutdown.get() != null;
  }

  /** Looks once. Returns what {@link LastingThread} does next. */
  long round() {
    watching = isPending();
    if (!watching && !isPending()) {
      checks = 0;
      return LastingThread.END;
    }
    watching = true;
    long now = progress.getAsLong();
    checks = now == progressSeen && now >= 0 ? checks + 1 : 0;
    progressSeen = now;
    if (checks >= BLOCKED_SECONDS) {
      checks = 0;
      logger.warn(
          "A span processor has blocked for "
              + BLOCKED_SECONDS
              + " s on a delayed span: pending flushes and shutdowns fail. Its spans keep waiting"
              + " for it");
      // Listeners of a result may run arbitrary code, so they must not run on this thread.
      DaemonThread.create(this::fail, "flamespan-fail").start();
    }
    onCheck.run();
    return CHECK_NANOS;
  }

  private void fail() {
    for (AtomicReference<@Nullable CompletableResultCode> each :
        Arrays.asList(flush, asked, shutdown)) {
      CompletableResultCode pending = each.getAndSet(null);
      if (pending != null) {
        pending.fail();
      }
    }
  }
}

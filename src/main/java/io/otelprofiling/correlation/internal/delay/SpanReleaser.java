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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The thread on which one span processor receives its delayed spans. Each processor has a separate
 * one, so a processor that blocks delays neither the messages of profilers nor other processors.
 * Thread-safe.
 */
final class SpanReleaser {
  /** The result of {@link #checkProgress} if no result is pending. */
  static final long NOTHING_PENDING = Long.MAX_VALUE;

  /** The result of a repeated step that must not run again. */
  static final long NEVER = Long.MAX_VALUE;

  /** How long a processor may block before the pending flushes and shutdowns fail. */
  static final long BLOCKED_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final long PAUSE_AFTER_ERROR_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long WATCH_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private static final String MAY_NEVER_COMPLETE =
      "A flush or shutdown may never complete if its span processor blocks";

  private final LastingThread thread =
      new LastingThread("otel-profiling-release", this::round, this::failed);
  private final Queue<Runnable> steps = new ConcurrentLinkedQueue<>();
  private volatile @Nullable LongSupplier repeated;
  private volatile boolean repeatNow;
  private volatile boolean ending;
  private boolean repeats; // used by the thread only, as is the next field
  private long dueNanos;
  private final RateLimitedLogger logger =
      new RateLimitedLogger(Logger.getLogger(SpanReleaser.class.getName()));
  private final Queue<CompletableResultCode> pending = new ConcurrentLinkedQueue<>();
  private final Position progress = new Position(); // written for each span
  private volatile boolean running; // a step is running
  private final AtomicBoolean watched = new AtomicBoolean();
  private volatile boolean watchesItself;
  private long progressSeen; // guarded by this, as are the next two fields
  private long seenAtNanos;
  private boolean watching;

  /**
   * Starts the thread, which runs until {@link #endWhenIdle}.
   *
   * @throws OutOfMemoryError if the system cannot create a thread
   */
  void start() {
    thread.wake();
  }

  /** Ends the thread as soon as it is idle. A later {@link #execute} starts it again. */
  void endWhenIdle() {
    ending = true;
    if (thread.thread() != null) {
      thread.wake();
    }
  }

  /**
   * Makes this thread check its progress itself from now on. Called when nobody calls {@link
   * #checkProgress} any more.
   */
  void watchItself() {
    watchesItself = true;
    watchPending();
  }

  private void watchPending() {
    if (isNothingPending() || !watched.compareAndSet(false, true)) {
      return;
    }
    try {
      DaemonThread.create(this::watch, "otel-profiling-watch").start();
    } catch (Throwable e) {
      watched.set(false);
      logger.warn(MAY_NEVER_COMPLETE, e);
    }
  }

  private void watch() {
    while (isPending()) {
      LockSupport.parkNanos(WATCH_NANOS);
    }
    watched.set(false);
    watchPending(); // a result may have been added just now
  }

  private boolean isPending() {
    try {
      return checkProgress(System.nanoTime()) != NOTHING_PENDING;
    } catch (Throwable e) { // no memory or thread now
      logger.warn(MAY_NEVER_COMPLETE, e);
      return true;
    }
  }

  /**
   * Runs the step after all earlier ones. The step must not throw.
   *
   * @throws OutOfMemoryError if there is no memory or thread for the step, which then never runs
   */
  void execute(Runnable step) {
    steps.add(step);
    try {
      thread.wake();
    } catch (Throwable e) {
      if (steps.remove(step)) {
        throw e;
      }
    }
  }

  /**
   * Runs the step once no other step is left, and again after the number of nanoseconds that it
   * returns, until it returns {@link #NEVER}. Only one such step exists. After {@link
   * #endWhenIdle}, it runs only once per call of this method. It must not throw. Allocates nothing
   * if the thread exists.
   *
   * @throws OutOfMemoryError if the thread does not exist, and the system cannot create one
   */
  void repeat(LongSupplier step) {
    repeated = step;
    repeatNow = true;
    thread.wake();
  }

  private long round() {
    Runnable step = steps.poll();
    LongSupplier repeatedStep = repeated;
    if (step != null) {
      run(step);
      return 0;
    }
    if (repeatedStep != null && (repeatNow || isRepeatedDue())) {
      runRepeated(repeatedStep);
      return 0;
    }
    if (ending) {
      return LastingThread.END;
    }
    return repeats ? Math.max(0, dueNanos - System.nanoTime()) : LastingThread.FOREVER;
  }

  private void run(Runnable step) {
    running = true;
    try {
      step.run();
    } finally {
      running = false;
      madeProgress();
    }
  }

  private boolean isRepeatedDue() {
    return repeats && !ending && System.nanoTime() - dueNanos >= 0;
  }

  private void runRepeated(LongSupplier step) {
    repeats = true;
    dueNanos = System.nanoTime() + PAUSE_AFTER_ERROR_NANOS; // kept if the step fails
    repeatNow = false;
    running = true;
    try {
      long wait = step.getAsLong();
      dueNanos = wait == NEVER ? 0 : System.nanoTime() + wait;
      repeats = wait != NEVER;
    } finally {
      running = false;
      madeProgress();
    }
  }

  private void failed(Throwable error) {
    logger.warn("Delayed spans were not passed on", error);
  }

  /** Returns whether the caller runs within a step, that is, in application code called by it. */
  boolean isCurrentThread() {
    return running && thread.thread() == Thread.currentThread();
  }

  /** Records that the processor does not block. Called by steps. */
  void madeProgress() {
    progress.lazySet(progress.get() + 1);
  }

  /** Creates a result that fails if the processor blocks for {@link #BLOCKED_NANOS}. */
  CompletableResultCode newResult() {
    CompletableResultCode result = new CompletableResultCode();
    watch(result);
    return result;
  }

  /** Fails the result if the processor blocks for {@link #BLOCKED_NANOS}. Never throws. */
  void watch(CompletableResultCode result) {
    try {
      result.whenComplete(() -> forget(result));
      pending.add(result);
    } catch (Throwable e) {
      logger.warn(MAY_NEVER_COMPLETE, e);
    }
    if (watchesItself) {
      watchPending();
    }
  }

  private boolean isNothingPending() {
    CompletableResultCode first = pending.peek();
    while (first != null && first.isDone()) {
      forget(first); // in case this failed before
      first = pending.peek();
    }
    return first == null;
  }

  /** Must not throw: the result has other listeners, which run after this one. */
  private void forget(CompletableResultCode result) {
    try {
      pending.remove(result);
    } catch (Throwable e) {
      logger.warn(
          "A flush or shutdown of a span processor is still monitored after it has ended", e);
    }
  }

  /**
   * Fails the pending results if a step has made no progress for too long.
   *
   * @return nanoseconds until the next call, or {@link #NOTHING_PENDING}
   */
  synchronized long checkProgress(long nowNanos) {
    if (isNothingPending()) {
      watching = false;
      return NOTHING_PENDING;
    }
    long progressNow = progress.get();
    if (!watching || progressNow != progressSeen || !running) {
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

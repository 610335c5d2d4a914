/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.delay;

import io.flamespan.correlation.internal.localroot.LocalRoot;
import io.flamespan.correlation.internal.log.RateLimitedLogger;
import io.flamespan.correlation.internal.log.Step;
import io.flamespan.correlation.internal.pace.Pace;
import io.flamespan.correlation.internal.threads.LastingThread;
import io.flamespan.correlation.internal.threads.Position;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadableSpan;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The delayed spans of one processor, and their states. A span is due when its delay is over, when
 * a flush or shutdown was called after its end, or when the plug-in has ended. It leaves when its
 * {@link Pace} allows that, after all messages that had arrived.
 *
 * <pre>
 *            forceFlush, and spans wait
 *   OPEN  ─────────────────────────────►  a flush is pending
 *     ▲ ◄─────────────────────────────       │
 *     │  all that ended before have left:    │
 *     │  the processor is flushed            │ shutdown
 *     └── shutdown ──►  CLOSING  ◄───────────┘
 *                          │  all have left, or 30 s: the processor is flushed and shut down
 *                          ▼
 *                       CLOSED
 * </pre>
 *
 * <p>A releaser works in rounds, on one thread. A round does not wait until spans may leave, so
 * only code of the processor can hold it up. Any thread may call the other methods.
 */
final class Releaser {
  // Every round wakes a thread. With many spans, exporting them sooner is not worth that.
  private static final long BATCH_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final int ROUNDS_PER_REPORT = 10; // each would be a sixth of the work of a round
  private static final long LATE_NANOS = TimeUnit.SECONDS.toNanos(1); // the thread may have ended
  private static final long FLUSH_FROM_WITHIN_NANOS = TimeUnit.SECONDS.toNanos(1);
  // The SDK waits for ten seconds when it is closed.
  private static final long SHUTDOWN_LATE_NANOS = TimeUnit.SECONDS.toNanos(8);
  private static final long SHUTDOWN_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final long TRANSIT_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long NOBODY_LOOKS = 0;
  private static final long NOT_CALLED = Long.MIN_VALUE;

  /** The result of {@link #offer} if the queue is full. */
  static final long FULL = Long.MIN_VALUE;

  private enum State {
    OPEN,
    CLOSING, // spans that end now do not wait
    CLOSED // nor are they passed on
  }

  private final Downstream downstream;
  private final SharedState shared;
  private final Runnable wake;
  private final Step tryWake;
  private final Pace pace;
  private final SpanQueue queue;
  private final PendingResults results = new PendingResults(this::progress, this::keepGoing);
  private final Position left = new Position(); // how many spans have reached the processor
  private final AtomicLong looksBy = new AtomicLong(NOBODY_LOOKS); // a deadline, or NOBODY_LOOKS
  private final AtomicLong shutdownNanos = new AtomicLong(NOT_CALLED); // when it was called
  private final AtomicInteger inTransit = new AtomicInteger(); // spans that do not wait
  private final AtomicInteger flushing = new AtomicInteger(); // callers that just flush
  private final CompletableResultCode shutdown = new CompletableResultCode();
  private final CountDownLatch released = new CountDownLatch(1); // before the shutdown
  private final RateLimitedLogger logger = new RateLimitedLogger(Releaser.class);
  private final RateLimitedLogger lostLogger = new RateLimitedLogger(Releaser.class);
  private volatile State state = State.OPEN;
  private volatile long lost;
  private volatile @Nullable Thread working; // during a round
  // Used in rounds only.
  private long flushMark; // how many spans have to leave before the flush
  private long markedNanos; // when due spans were last marked
  private long untilDue;
  private boolean inBatches; // another round follows at once
  private int rounds;
  private boolean flushesFromWithin;
  private long quietSince; // no flush of the processor is under way

  /**
   * Creates a releaser without a thread.
   *
   * @param queueSize the size of the processor's queue according to the settings, or 0
   * @param wake lets a thread call {@link #round} after this call; may throw if the system cannot
   *     create one
   */
  Releaser(Downstream downstream, SharedState shared, int queueSize, Runnable wake) {
    this.downstream = downstream;
    this.shared = shared;
    this.wake = wake;
    this.tryWake = wake::run;
    this.pace = new Pace(downstream::flush, shared.delay::nanoTime, queueSize);
    this.queue = new SpanQueue(shared.capacity);
  }

  /**
   * Adds a span whose local root the caller has retained, and which the releaser leaves.
   *
   * @return the current time, or {@link #FULL} if the span has to be passed on at once
   */
  long offer(ReadableSpan span, LocalRoot root) {
    long now = shared.delay.nanoTime();
    root.setEnded(now);
    return queue.offer(span, root) ? now : FULL;
  }

  /**
   * Ensures that an added span leaves in time. Costs a few reads if others already wait.
   *
   * @param now the time at which it was added
   */
  void ensureRelease(long now) {
    long by = looksBy.get();
    boolean nobodyLooks = by == NOBODY_LOOKS || now - by > 0;
    // At the end, nobody may be looking for due spans any more.
    if (state != State.OPEN
        || shared.delay.hasEnded()
        || (nobodyLooks && looksBy.compareAndSet(by, lookBy(now, 0)))) {
      wake();
    }
  }

  private static long lookBy(long now, long wait) {
    return now + wait + LATE_NANOS | 1; // never NOBODY_LOOKS
  }

  /** Begins a round soon, or logs a warning if the system has no thread for it. Never throws. */
  void wake() {
    boolean unused =
        logger.attempt(
            "Delayed spans wait until another span ends: no thread could pass them on", tryWake);
  }

  /** Begins the first round. Throws if the system cannot create a thread. */
  void start() {
    wake.run();
  }

  /** Returns whether spans that end now do not wait any more. */
  boolean isClosing() {
    return state != State.OPEN;
  }

  /**
   * Returns whether a span that does not wait may be passed on. If so, {@link #exit} must follow,
   * and the processor is not shut down before.
   */
  boolean enter() {
    inTransit.incrementAndGet();
    boolean mayPass = state != State.CLOSED;
    if (!mayPass) {
      exit();
    }
    return mayPass;
  }

  void exit() {
    inTransit.decrementAndGet();
  }

  /** Returns how many spans have been added. */
  long delayed() {
    return queue.offered();
  }

  /** Returns how many spans wait, as of a moment ago. */
  long waiting() {
    long leftNow = left.get(); // first, so that it is not beyond the others
    return queue.offered() - leftNow;
  }

  /** Returns how many spans a shutdown could not pass on. */
  long lost() {
    return lost;
  }

  /**
   * Flushes the processor after all messages that have arrived and all spans that have ended. If no
   * span waits, only flushes it. Callers share a flush until a round has taken it.
   */
  CompletableResultCode flush() {
    if (working == Thread.currentThread()) {
      return flushFromWithin();
    }
    flushing.incrementAndGet();
    try {
      if (state == State.CLOSED || (waiting() == 0 && !isShutdownCalled() && !pace.isPushing())) {
        shared.messages.handleArrived(0);
        return downstream.forceFlush();
      }
    } finally {
      flushing.decrementAndGet();
    }
    CompletableResultCode result = results.ask();
    wake();
    if (state == State.CLOSED) {
      completeFlushes(); // no round may follow
    }
    return result;
  }

  /**
   * Flushes while the processor is receiving a delayed span, on the thread that must also deliver
   * the remaining spans. A flush within such a flush only flushes the processor: one recursion per
   * waiting span would exhaust the stack.
   */
  private CompletableResultCode flushFromWithin() {
    if (!flushesFromWithin) {
      flushesFromWithin = true;
      try {
        releaseFromWithin(FLUSH_FROM_WITHIN_NANOS);
      } finally {
        flushesFromWithin = false;
      }
    }
    return downstream.forceFlush();
  }

  private void releaseFromWithin(long maxNanos) {
    collect();
    shared.messages.handleArrived(0);
    passOnAll(shared.delay.nanoTime() + maxNanos);
  }

  /** Passes on everything within the caller's round. */
  private void passOnAll(long end) {
    queue.markDueUntil(queue.offered());
    while (passOn(true) > 0 && end - shared.delay.nanoTime() > 0) {
      LockSupport.parkNanos(Pace.TICK_NANOS);
    }
  }

  /**
   * Shuts the processor down, after all messages that have arrived and all spans that have ended.
   * Every call returns the same result. Never throws.
   */
  CompletableResultCode shutdown() {
    if (!shutdownNanos.compareAndSet(NOT_CALLED, shared.delay.nanoTime())) {
      return shutdown;
    }
    if (working == Thread.currentThread()) {
      releaseFromWithin(SHUTDOWN_LATE_NANOS);
      shutDown();
    } else {
      results.watch(shutdown);
      wake();
    }
    return shutdown;
  }

  private boolean isShutdownCalled() {
    return shutdownNanos.get() != NOT_CALLED;
  }

  private boolean isClosingFor(long nanos) {
    return isShutdownCalled() && shared.delay.nanoTime() - shutdownNanos.get() >= nanos;
  }

  /** See {@link DelayingSpanProcessor#awaitRelease}. */
  void awaitRelease(long nanos) throws InterruptedException {
    if (isShutdownCalled() && working != Thread.currentThread()) {
      boolean unused = released.await(nanos, TimeUnit.NANOSECONDS);
    }
  }

  private long progress() {
    return working == null ? -1 : left.get() + rounds;
  }

  /** Called while somebody waits for a result: a wake-up may have failed before. */
  void keepGoing() {
    wake();
    long waiting = waiting();
    if (waiting > 0 && isClosingFor(SHUTDOWN_LATE_NANOS)) {
      logger.warn(
          waiting
              + " ended spans still wait for a span processor 8 s after its shutdown began, because"
              + " it takes them too slowly. They are lost if the process ends now: "
              + downstream);
    }
  }

  /**
   * Handles the messages that have arrived, passes on due spans as far as they may leave, and then
   * flushes or shuts down the processor if that was asked for. One thread at a time. If it throws,
   * it must be called again soon.
   *
   * @return nanoseconds until the next call, or a constant of {@link LastingThread}
   */
  long round() {
    working = Thread.currentThread();
    try {
      return state == State.CLOSED ? afterShutdown() : release();
    } finally {
      working = null;
      rounds++;
      if (!inBatches || rounds % ROUNDS_PER_REPORT == 0) {
        shared.messages.roundsEnded();
      }
    }
  }

  private long release() {
    long now = shared.delay.nanoTime();
    boolean closes = isShutdownCalled();
    boolean isNew = closes && state == State.OPEN;
    if (results.isAsked() && results.take()) {
      flushMark = queue.offered();
      isNew = true;
    }
    left.lazySet(queue.taken()); // an error may have ended a round with a span in its hand
    long leftBefore = left.get();
    if (isNew || !queue.hasDue() || now - markedNanos >= BATCH_NANOS) {
      markDue(now, isNew, closes);
    }
    long wait = passOn(closes || results.isFlushing());
    now = shared.delay.nanoTime();
    if (closes) {
      return closeIfAllHaveLeft(now, wait);
    }
    if (results.isFlushing()) {
      if (left.get() < flushMark || !pace.isQuiet(now)) {
        return nextRound(now, Pace.TICK_NANOS);
      }
      results.flush(downstream);
      if (results.isAsked()) {
        return nextRound(now, 0);
      }
    }
    return wait > 0 ? nextRound(now, wait) : rest(now, left.get() > leftBefore);
  }

  /** Reads the messages that have arrived, and then marks the spans that had been due before. */
  private void markDue(long now, boolean isNew, boolean closes) {
    if (isNew) {
      collect();
    }
    shared.messages.handleArrived(inBatches ? 2 * BATCH_NANOS : 0);
    markedNanos = now;
    long dueUntil = shared.delay.dueUntil(now);
    untilDue = queue.markDue(dueUntil, now);
    if (untilDue != SpanQueue.EMPTY) {
      untilDue += dueUntil - (now - shared.delay.nanos()); // an earlier delivery wakes the thread
    }
    inBatches = untilDue <= BATCH_NANOS;
    if (closes) {
      if (state == State.OPEN) {
        quietSince = downstream.lastFlush() != null ? now : now - Pace.SETTLE_NANOS;
        state = State.CLOSING; // not earlier: requests that end right now have stack traces as well
      }
      queue.markDueUntil(queue.offered());
    } else if (results.isFlushing()) {
      queue.markDueUntil(flushMark);
    }
  }

  private void collect() {
    if (waiting() > 0) {
      shared.messages.collect();
    }
  }

  /**
   * Passes on due spans. Re-entrant, because a processor may flush or shut down while it receives a
   * span.
   *
   * @return 0 if all have left, or when the next one may leave, in nanoseconds
   */
  private long passOn(boolean flushing) {
    pace.beginRound();
    while (queue.hasDue()) {
      LocalRoot root = queue.first();
      long end = root.endedNanos(shared.delay.nanoTime());
      long wait = isClosingFor(SHUTDOWN_NANOS) ? Pace.TICK_NANOS : pace.waitFor(end, flushing);
      if (wait > 0) {
        return wait;
      }
      ReadableSpan span = queue.remove(); // from here on, it is not passed on again
      downstream.onDelayedEnd(span, root, end, pace);
      left.lazySet(queue.taken());
    }
    return 0;
  }

  private long nextRound(long now, long wait) {
    looksBy.set(lookBy(now, wait));
    return wait;
  }

  private long rest(long now, boolean passedOn) {
    // A span that ends from now on is due only after the delay, so it does not need to wake this
    // thread.
    long due = untilDue == SpanQueue.EMPTY ? untilDue : untilDue - (now - markedNanos);
    long wait = Math.max(Math.min(due, shared.delay.nanos()), BATCH_NANOS);
    if (untilDue == SpanQueue.EMPTY && !passedOn && maySleep(now, wait)) {
      return shared.delay.hasEnded() ? LastingThread.END : LastingThread.FOREVER;
    }
    return nextRound(now, wait);
  }

  private boolean maySleep(long now, long wait) {
    looksBy.set(NOBODY_LOOKS);
    // A span that was added before the line above did not wake this thread.
    return waiting() == 0 || !looksBy.compareAndSet(NOBODY_LOOKS, lookBy(now, wait));
  }

  private long closeIfAllHaveLeft(long now, long wait) {
    if ((wait > 0 || !isQuiet(now)) && !isClosingFor(SHUTDOWN_NANOS)) {
      return nextRound(now, Pace.TICK_NANOS);
    }
    shutDown();
    return LastingThread.END;
  }

  /**
   * Returns whether a shutdown of the processor, if it begins now, includes all spans. It may rely
   * on a flush that is under way, or has just ended, which leaves out spans that came since.
   */
  private boolean isQuiet(long now) {
    CompletableResultCode last = downstream.lastFlush();
    if (flushing.get() > 0 || (last != null && !last.isDone()) || !pace.hasTakenAll(now)) {
      quietSince = now;
    }
    return now - quietSince >= Pace.SETTLE_NANOS || isClosingFor(SHUTDOWN_LATE_NANOS);
  }

  private void shutDown() {
    state = State.CLOSED;
    long end = shared.delay.nanoTime() + TRANSIT_NANOS;
    // A processor that blocks on a span must not block its shutdown.
    while (inTransit.get() > 0 && end - shared.delay.nanoTime() > 0) {
      LockSupport.parkNanos(Pace.TICK_NANOS);
    }
    passOnAll(shutdownNanos.get() + SHUTDOWN_NANOS);
    lost = drop();
    if (lost > 0) {
      lostLogger.warn(
          lost
              + " ended spans are lost, because a span processor took them too slowly during its"
              + " shutdown: "
              + downstream);
    }
    released.countDown();
    completeFlushes();
    results.forgetShutdown();
    downstream.shutdownInto(shutdown);
  }

  private void completeFlushes() {
    do {
      results.flush(downstream);
    } while (results.take());
  }

  /** Drops spans that came too late: the processor was shut down and accepts nothing. */
  private long afterShutdown() {
    completeFlushes();
    do {
      long unused = drop();
    } while (!queue.close());
    return LastingThread.END;
  }

  private long drop() {
    long before = left.get();
    queue.markDueUntil(queue.offered());
    while (queue.hasDue()) {
      LocalRoot root = queue.first();
      ReadableSpan unused = queue.remove();
      left.lazySet(queue.taken());
      shared.localRoots.release(root);
    }
    return left.get() - before;
  }
}

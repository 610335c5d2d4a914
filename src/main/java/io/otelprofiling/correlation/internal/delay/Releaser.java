/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.delay;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.otelprofiling.correlation.internal.localroot.LocalRoot;
import io.otelprofiling.correlation.internal.log.RateLimitedLogger;
import io.otelprofiling.correlation.internal.threads.LastingThread;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The queue of one processor's delayed spans, and its states. A span leaves when its delay is over,
 * when a flush or shutdown was called after its end, or when the plug-in has ended, and then as
 * soon as its {@link Pace} allows. It leaves after all messages that had arrived.
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
 * <p>A releaser works in rounds, on one thread. A round does not wait until spans may leave: it
 * ends, and the next one follows soon. So only code of the processor can hold it up. Any thread may
 * call the other methods.
 */
final class Releaser implements BlockedWatch.Watched {
  // Every round wakes a thread. With many spans, exporting them sooner is not worth that.
  private static final long BATCH_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  // Reporting the counts after each of many short rounds would be a sixth of their work.
  private static final int ROUNDS_PER_REPORT = 10;
  // If a round is this late, an error may have ended the thread.
  private static final long LATE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long FLUSH_FROM_WITHIN_NANOS = TimeUnit.SECONDS.toNanos(1);
  // The SDK waits for ten seconds when it is closed. Who waits for longer loses nothing.
  private static final long SHUTDOWN_LATE_NANOS = TimeUnit.SECONDS.toNanos(8);
  private static final long SHUTDOWN_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final long TRANSIT_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long NOBODY_LOOKS = 0;

  private enum State {
    /** Spans wait. */
    OPEN,
    /** A shutdown was called. Spans that end now are passed on at once. */
    CLOSING,
    /** Spans are dropped, because the processor was shut down. */
    CLOSED
  }

  private final Downstream downstream;
  private final SpanProcessors shared;
  private final Runnable wake;
  private final Pace pace;
  private final SpanQueue queue;
  private final BlockedWatch watch = new BlockedWatch(this);
  private final AtomicLong looksBy = new AtomicLong(NOBODY_LOOKS); // a deadline, or NOBODY_LOOKS
  private final Position left = new Position(); // how many spans have reached the processor
  private final AtomicInteger inTransit = new AtomicInteger(); // spans that do not wait
  private final AtomicInteger flushing = new AtomicInteger(); // callers that just flush
  private final AtomicReference<@Nullable CompletableResultCode> asked = new AtomicReference<>();
  private final CompletableResultCode shutdown = new CompletableResultCode();
  private final CountDownLatch released = new CountDownLatch(1); // before the shutdown
  private final RateLimitedLogger logger = new RateLimitedLogger(DelayingSpanProcessor.class);
  private final RateLimitedLogger lostLogger = new RateLimitedLogger(DelayingSpanProcessor.class);
  private volatile State state = State.OPEN;
  private volatile boolean shutdownCalled;
  private volatile long shutdownNanos; // when it was called, written before the field above
  private volatile boolean ending;
  private volatile long lost;
  private volatile @Nullable Thread working; // during a round
  private volatile @Nullable CompletableResultCode flush; // the one that is pending
  // Used in rounds only.
  private long flushMark; // the number of spans that have to leave before it
  private long markedNanos; // when due spans were last marked
  private long untilDue;
  private boolean inBatches; // another round follows at once
  private int rounds;
  private boolean flushesFromWithin;
  private long quietSince; // while a shutdown waits for flushes to end

  /**
   * Creates a releaser without a thread.
   *
   * @param queueSize the size of the processor's queue according to the settings, or 0
   * @param wake lets a thread call {@link #round} after this call; may throw if the system cannot
   *     create one
   */
  Releaser(Downstream downstream, SpanProcessors shared, int queueSize, Runnable wake) {
    this.downstream = downstream;
    this.shared = shared;
    this.wake = wake;
    this.pace = new Pace(downstream, shared.delay::nanoTime, queueSize);
    this.queue = new SpanQueue(shared.capacity);
  }

  /**
   * Begins the first round.
   *
   * @throws OutOfMemoryError if the system cannot create a thread
   */
  void start() {
    wake.run();
  }

  /**
   * Adds a span whose local root the caller has retained. The releaser leaves the local root.
   *
   * @return false if the queue is full, so the span has to be passed on at once
   */
  boolean offer(ReadableSpan span, LocalRoot root) {
    if (queue.isFull()) {
      return false; // without reading the clock
    }
    long now = shared.delay.nanoTime();
    return queue.offer(span, root, now);
  }

  /**
   * Ensures that the span that was added last is released in time. Costs one read if other spans
   * already wait.
   */
  void ensureRelease() {
    if (state != State.OPEN || shared.delay.hasEnded()) {
      wake(); // nobody may be looking for due spans any more
      return;
    }
    long by = looksBy.get();
    long now = by == NOBODY_LOOKS ? 0 : shared.delay.nanoTime();
    if ((by == NOBODY_LOOKS || now - by > 0)
        && looksBy.compareAndSet(by, lookBy(shared.delay.nanoTime(), 0))) {
      wake();
    }
  }

  private static long lookBy(long now, long wait) {
    return now + wait + LATE_NANOS | 1; // never NOBODY_LOOKS
  }

  /** Begins a round soon, or logs a warning if the system has no thread for it. Never throws. */
  void wake() {
    try {
      wake.run();
    } catch (Throwable e) {
      logger.warn("Delayed spans wait until another span ends: no thread could pass them on", e);
    }
  }

  /** Passes on what waits. Called after the plug-in has ended and delays no more spans. */
  void end() {
    ending = true;
    wake();
  }

  /** Returns whether spans that end now do not wait any more. */
  boolean isClosing() {
    return state != State.OPEN;
  }

  /**
   * Returns whether a span that does not wait may be passed on. If true, {@link #exit} must follow,
   * and the processor is not shut down before.
   */
  boolean enter() {
    inTransit.incrementAndGet();
    if (state != State.CLOSED) {
      return true;
    }
    inTransit.decrementAndGet();
    return false;
  }

  /** Reports that the span has been passed on. */
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
   * span waits, only flushes it.
   */
  CompletableResultCode flush() {
    if (working == Thread.currentThread()) {
      return flushFromWithin();
    }
    flushing.incrementAndGet();
    try {
      if (state == State.CLOSED || (waiting() == 0 && !shutdownCalled && !pace.isPushing())) {
        return downstream.forceFlush();
      }
    } finally {
      flushing.decrementAndGet();
    }
    CompletableResultCode mine = new CompletableResultCode();
    CompletableResultCode result;
    do {
      // Whoever calls before a round takes it shares it.
      result = asked.get();
    } while (result == null && !asked.compareAndSet(null, mine));
    if (result == null) {
      watch.begin();
      wake();
    }
    if (state == State.CLOSED) {
      completeFlushes(); // no round may follow
    }
    return result == null ? mine : result;
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
    queue.markDueUntil(queue.offered());
    long end = shared.delay.nanoTime() + maxNanos;
    while (passOn(true) > 0 && end - shared.delay.nanoTime() > 0) {
      LockSupport.parkNanos(Pace.TICK_NANOS);
    }
  }

  /**
   * Shuts the processor down, after all messages that have arrived and all spans that have ended.
   * Every call returns the same result. Never throws.
   */
  CompletableResultCode shutdown() {
    if (callsShutdownFirst()) {
      if (working == Thread.currentThread()) {
        releaseFromWithin(SHUTDOWN_LATE_NANOS);
        shutDown();
      } else {
        watch.begin();
        wake();
      }
    }
    return shutdown;
  }

  private synchronized boolean callsShutdownFirst() {
    boolean isFirst = !shutdownCalled;
    if (isFirst) {
      shutdownNanos = shared.delay.nanoTime();
      shutdownCalled = true;
    }
    return isFirst;
  }

  private boolean isClosingFor(long nanos) {
    return shutdownCalled && shared.delay.nanoTime() - shutdownNanos >= nanos;
  }

  /**
   * After a shutdown has begun, waits until all waiting spans have been passed on.
   *
   * @param nanos the maximum time to wait
   */
  void awaitRelease(long nanos) throws InterruptedException {
    if (shutdownCalled && working != Thread.currentThread()) {
      boolean unused = released.await(nanos, TimeUnit.NANOSECONDS);
    }
  }

  @Override
  public boolean isPending() {
    return asked.get() != null || flush != null || (shutdownCalled && released.getCount() > 0);
  }

  @Override
  public long progress() {
    return working == null ? -1 : left.get() + rounds;
  }

  /** A wake-up may have failed before. */
  @Override
  public void keepGoing() {
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

  @Override
  public void fail() {
    failIfPending(flush);
    failIfPending(asked.getAndSet(null));
    failIfPending(shutdownCalled ? shutdown : null);
  }

  private static void failIfPending(@Nullable CompletableResultCode result) {
    if (result != null) {
      result.fail();
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
    boolean reports = !inBatches;
    try {
      return state == State.CLOSED ? afterShutdown() : release();
    } finally {
      working = null;
      rounds++;
      if (reports || !inBatches || rounds % ROUNDS_PER_REPORT == 0) {
        shared.messages.roundsEnded();
      }
    }
  }

  private long release() {
    long now = shared.delay.nanoTime();
    boolean closes = shutdownCalled;
    boolean isNew = closes && state == State.OPEN;
    if (flush == null && asked.get() != null) {
      flush = asked.getAndSet(null);
      isNew = true;
      flushMark = queue.offered();
    }
    left.lazySet(queue.taken()); // an error may have ended a round with a span in its hand
    long leftBefore = left.get();
    if (isNew || !queue.hasDue() || now - markedNanos >= BATCH_NANOS) {
      markDue(now, isNew, closes);
    }
    long wait = passOn(closes || flush != null);
    now = shared.delay.nanoTime();
    if (closes) {
      return closeIfAllHaveLeft(now, wait);
    }
    CompletableResultCode pending = flush;
    if (pending != null) {
      if (left.get() < flushMark || !pace.isQuiet(now)) {
        return nextRound(now, wait == 0 ? Pace.TICK_NANOS : wait);
      }
      flush = null;
      Downstream.complete(pending, downstream.flush());
      if (asked.get() != null) {
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
    if (closes && state == State.OPEN) {
      quietSince = downstream.wasFlushed() ? now : now - Pace.SETTLE_NANOS;
      state = State.CLOSING; // not earlier: requests that end right now have stack traces as well
    }
    markedNanos = now;
    long dueUntil = shared.delay.dueUntil(now);
    untilDue = queue.markDue(dueUntil);
    if (untilDue != SpanQueue.EMPTY) {
      untilDue += dueUntil - (now - shared.delay.nanos()); // an earlier delivery wakes the thread
    }
    inBatches = untilDue <= BATCH_NANOS;
    if (closes) {
      queue.markDueUntil(queue.offered());
    } else if (flush != null) {
      queue.markDueUntil(flushMark);
    }
  }

  /** A flush or shutdown has an embedded profiler deliver its samples. */
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
      SpanQueue.Slot first = queue.first();
      long wait = pace.waitFor(first.endNanos, flushing);
      if (wait > 0) {
        return wait;
      }
      if (isClosingFor(SHUTDOWN_NANOS)) {
        return Pace.TICK_NANOS;
      }
      passOn(first);
    }
    return 0;
  }

  @SuppressWarnings("NullAway") // a published slot has both
  private void passOn(SpanQueue.Slot first) {
    ReadableSpan span = first.span;
    LocalRoot root = first.root;
    long end = first.endNanos;
    queue.remove(first); // from here on, it is not passed on again
    downstream.onDelayedEnd(span, root, end, pace);
    left.lazySet(queue.taken());
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
      return ending ? LastingThread.END : LastingThread.FOREVER;
    }
    return nextRound(now, wait);
  }

  private boolean maySleep(long now, long wait) {
    looksBy.set(NOBODY_LOOKS);
    // A span that was added before the line above did not wake this thread.
    return waiting() == 0 || !looksBy.compareAndSet(NOBODY_LOOKS, lookBy(now, wait));
  }

  private long closeIfAllHaveLeft(long now, long wait) {
    if (!isClosingFor(SHUTDOWN_NANOS) && (wait > 0 || !isQuiet(now))) {
      return nextRound(now, wait > 0 ? wait : Pace.TICK_NANOS);
    }
    shutDown();
    return LastingThread.END;
  }

  /**
   * Returns whether a shutdown of the processor, if it begins now, includes all spans: it may rely
   * on a flush that is under way, or that has just ended, which leaves out spans that came since.
   */
  private boolean isQuiet(long now) {
    if (isClosingFor(SHUTDOWN_LATE_NANOS)) {
      return true;
    }
    if (flushing.get() > 0 || !downstream.isFlushed() || !pace.hasTakenAll(now)) {
      quietSince = now;
    }
    return now - quietSince >= Pace.SETTLE_NANOS;
  }

  private void shutDown() {
    state = State.CLOSED;
    long end = shared.delay.nanoTime() + TRANSIT_NANOS;
    // A processor that blocks on a span must not block its shutdown.
    while (inTransit.get() > 0 && end - shared.delay.nanoTime() > 0) {
      LockSupport.parkNanos(Pace.TICK_NANOS);
    }
    queue.markDueUntil(queue.offered());
    while (passOn(true) > 0 && !isClosingFor(SHUTDOWN_NANOS)) {
      LockSupport.parkNanos(Pace.TICK_NANOS);
    }
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
    downstream.shutdownInto(shutdown);
  }

  private void completeFlushes() {
    CompletableResultCode pending = flush;
    CompletableResultCode next = asked.getAndSet(null);
    flush = null;
    for (CompletableResultCode each : new CompletableResultCode[] {pending, next}) {
      if (each != null) {
        Downstream.complete(each, downstream.flush());
      }
    }
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
      SpanQueue.Slot first = queue.first();
      LocalRoot root = first.root;
      queue.remove(first);
      left.lazySet(left.get() + 1);
      if (root != null) {
        shared.localRoots.release(root);
      }
    }
    return left.get() - before;
  }
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.delay;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.otelprofiling.correlation.internal.log.RateLimitedLogger;
import io.otelprofiling.correlation.internal.threads.LastingThread;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides when delayed spans of one processor leave: when their delay is over, when a flush or
 * shutdown was called after their end, or when the plug-in has ended. A flush or shutdown reaches
 * the processor after these spans, and these leave after all messages that had arrived.
 *
 * <p>A releaser works in rounds, on one thread. A round does not wait until the processor has room:
 * it ends, and the next one follows soon. So only code of the processor can hold it up. Any thread
 * may call the other methods.
 */
final class Releaser {
  // Every round wakes a thread. With many spans, exporting them sooner is not worth that.
  private static final long BATCH_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  // Reporting the counts after each of many short rounds would be a sixth of their work.
  private static final int ROUNDS_PER_REPORT = 10;

  // If a round is this late, an error may have ended the thread.
  private static final long LATE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final long FLUSH_FROM_WITHIN_NANOS = TimeUnit.SECONDS.toNanos(1);
  // The SDK waits for ten seconds when it is closed. Who waits for longer loses nothing.
  private static final long SHUTDOWN_LATE_NANOS = TimeUnit.SECONDS.toNanos(8);
  private static final long SHUTDOWN_NANOS = TimeUnit.SECONDS.toNanos(30);

  private static final long NOBODY_LOOKS = 0;

  private final Downstream downstream;
  private final SpanProcessors shared;
  private final Runnable wake;
  private final PendingResults results;
  private final Window window;
  private final WaitingSpans waiting;
  private final ClosingGate gate = new ClosingGate();
  private final BooleanSupplier shutdownIsLate = this::isShutdownLate;
  private final AtomicLong looksBy = new AtomicLong(NOBODY_LOOKS); // a deadline, or NOBODY_LOOKS
  private final Queue<Flush> flushes = new ConcurrentLinkedQueue<>();
  private final CompletableResultCode shutdown = new CompletableResultCode();
  private final AtomicBoolean shutdownBegun = new AtomicBoolean();
  private final CountDownLatch released = new CountDownLatch(1); // before the shutdown
  private volatile long shutdownNanos; // when it began
  private volatile boolean closing; // written after the field above
  private volatile boolean ending;
  private volatile long lost;
  private final RateLimitedLogger logger = new RateLimitedLogger(DelayingSpanProcessor.class);
  private final RateLimitedLogger lostLogger = new RateLimitedLogger(DelayingSpanProcessor.class);
  // Used in rounds only.
  private boolean inBatches; // another round follows at once
  private int roundsInBatches;
  private boolean hadRoom = true;
  private long lastPassNanos; // or when there was still room
  private boolean flushesFromWithin;
  private boolean shutDown;
  private @Nullable CompletableResultCode collectedFor;

  /** A flush that somebody waits for. */
  private static final class Flush {
    final CompletableResultCode result = new CompletableResultCode();
    final long offered; // spans that had ended before

    Flush(long offered) {
      this.offered = offered;
    }
  }

  /**
   * Creates a releaser without a thread.
   *
   * @param wake lets a thread call {@link #round} after this call; may throw if the system cannot
   *     create one
   */
  Releaser(Downstream downstream, SpanProcessors shared, Runnable wake) {
    this.downstream = downstream;
    this.shared = shared;
    this.wake = wake;
    this.results = new PendingResults(shared.delay::nanoTime, this::keepGoing);
    this.window = downstream.window(this::wake);
    this.waiting = new WaitingSpans(downstream, shared, window, results);
  }

  /**
   * Begins the first round.
   *
   * @throws OutOfMemoryError if the system cannot create a thread
   */
  void start() {
    wake.run();
  }

  /** Returns the spans that wait. */
  WaitingSpans waiting() {
    return waiting;
  }

  /** Returns the gate for spans that end during a shutdown. */
  ClosingGate gate() {
    return gate;
  }

  /** Returns the watch over pending flushes and shutdowns. */
  PendingResults results() {
    return results;
  }

  /** Returns how many spans a shutdown could not pass on. */
  long lost() {
    return lost;
  }

  /**
   * Ensures that an added span is released in time. Costs one read if other spans already wait.
   *
   * @param now the time at which the span was added
   */
  void ensureRelease(long now) {
    long by = looksBy.get();
    if ((by == NOBODY_LOOKS || now - by > 0) && looksBy.compareAndSet(by, lookBy(now, 0))) {
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

  /**
   * Flushes the processor after all messages that have arrived and all spans that have ended.
   *
   * @throws OutOfMemoryError if there is no memory for that
   */
  CompletableResultCode flush() {
    if (results.isWithinRound()) {
      return flushFromWithin();
    }
    Flush flush = new Flush(waiting.queue.offered());
    flushes.add(flush);
    results.watch(flush.result);
    wake();
    return flush.result;
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
    waiting.queue.markDueUntil(waiting.queue.offered());
    long end = waiting.queue.dueEnd();
    long began = shared.delay.nanoTime();
    long now = began;
    while (!isReleased(end, now) && now - began < maxNanos) {
      LockSupport.parkNanos(PAUSE_NANOS);
      now = shared.delay.nanoTime();
    }
  }

  private boolean isReleased(long end, long now) {
    window.beginRound();
    boolean hasRoom = waiting.passOn(end, shutdownIsLate);
    if (!hasRoom) {
      window.press(now);
    }
    return hasRoom && window.isQuiet(now);
  }

  /**
   * Shuts the processor down, after all messages that have arrived and all spans that have ended.
   * Every call returns the same result. Never throws.
   */
  CompletableResultCode shutdown() {
    if (shutdownBegun.compareAndSet(false, true)) {
      shutdownNanos = shared.delay.nanoTime();
      closing = true;
      results.watch(shutdown);
      if (results.isWithinRound()) {
        releaseFromWithin(SHUTDOWN_LATE_NANOS);
        gate.begin();
        shutDown();
      } else {
        wake();
      }
    }
    return shutdown;
  }

  /** Called while somebody waits for a result: a wake-up may have failed before. */
  void keepGoing() {
    wake();
    long left = waiting.size();
    if (left > 0 && isClosingFor(SHUTDOWN_LATE_NANOS)) {
      logger.warn(
          left
              + " ended spans still wait for a span processor 8 s after its shutdown began, because"
              + " it takes them too slowly. They are lost if the process ends now: "
              + downstream);
    }
  }

  private boolean isShutdownLate() {
    return isClosingFor(SHUTDOWN_NANOS);
  }

  private boolean isClosingFor(long nanos) {
    return closing && shared.delay.nanoTime() - shutdownNanos >= nanos;
  }

  /**
   * After a shutdown has begun, waits until all waiting spans have been passed on.
   *
   * @param nanos the maximum time to wait
   */
  void awaitRelease(long nanos) throws InterruptedException {
    if (closing && !results.isWithinRound()) {
      boolean unused = released.await(nanos, TimeUnit.NANOSECONDS);
    }
  }

  /**
   * Handles the messages that have arrived, passes on due spans as far as there is room, and then
   * flushes or shuts down the processor if that was asked for. One thread at a time. If it throws,
   * it must be called again soon.
   *
   * @return nanoseconds until the next call, or a constant of {@link LastingThread}
   */
  long round() {
    results.beginRound();
    try {
      return shutDown ? afterShutdown() : release();
    } finally {
      results.endRound();
      roundsInBatches = inBatches ? roundsInBatches + 1 : 0;
      if (shutDown || roundsInBatches % ROUNDS_PER_REPORT == 0) {
        shared.messages.roundsEnded();
      }
    }
  }

  private long release() {
    long began = shared.delay.nanoTime();
    long leftBefore = waiting.left();
    Flush flush = flushes.peek(); // before the messages are handled
    boolean closes = closing && (flush == null || isShutdownLate());
    if (closes || flush != null) {
      collectOnce(closes ? shutdown : flush.result);
    }
    shared.messages.handleArrived(inBatches ? 2 * BATCH_NANOS : 0);
    long handled = shared.delay.nanoTime() - began;
    window.beginRound();
    long dueUntil = shared.delay.dueUntil(began);
    long untilDue = waiting.queue.markDue(dueUntil);
    if (untilDue != SpanQueue.EMPTY) {
      untilDue += dueUntil - (began - shared.delay.nanos()); // an earlier delivery wakes the thread
    }
    inBatches = untilDue <= BATCH_NANOS;
    if (closes) {
      gate.begin(); // not earlier: requests that end right now have stack traces as well
    }
    if (closes || flush != null) {
      waiting.queue.markDueUntil(closes ? waiting.queue.offered() : flush.offered);
    }
    long end = closes || flush == null ? waiting.queue.dueEnd() : flush.offered;
    boolean hasRoom = waiting.passOn(end, shutdownIsLate);
    long now = shared.delay.nanoTime();
    long passedOn = waiting.left() - leftBefore;
    keepPace(passedOn, (hadRoom ? began : lastPassNanos) + handled, now);
    hadRoom = hasRoom;
    if (closes && (isShutdownLate() || (hasRoom && window.isQuiet(now)))) {
      shutDown();
      return LastingThread.END;
    }
    if (!hasRoom) {
      window.press(now);
      return nextRound(now, BATCH_NANOS); // or as soon as there is room
    }
    if (closes || flush != null) {
      return flush != null && window.isQuiet(now) ? flush(flush, now) : nextRound(now, PAUSE_NANOS);
    }
    return rest(now, untilDue == SpanQueue.EMPTY ? untilDue : untilDue - (now - began), passedOn);
  }

  /** A flush or shutdown may take several rounds. */
  private void collectOnce(CompletableResultCode cause) {
    if (collectedFor != cause) {
      collectedFor = cause;
      collect();
    }
  }

  private void collect() {
    if (!waiting.isEmpty()) {
      shared.messages.collect();
    }
  }

  /** Counts only the time in which spans waited for room, if the processor makes them wait. */
  private void keepPace(long passedOn, long since, long now) {
    if (passedOn > 0 && (!hadRoom || window.mayExportOnEnd())) {
      waiting.took(passedOn, now - since);
    }
    if (passedOn > 0 || hadRoom) {
      lastPassNanos = now;
    }
  }

  private long flush(Flush flush, long now) {
    downstream.flushInto(flush.result);
    window.flushing(flush.result, now);
    results.forget(flush.result);
    flushes.remove();
    return 0;
  }

  private long nextRound(long now, long wait) {
    looksBy.set(lookBy(now, wait));
    return wait;
  }

  private long rest(long now, long untilDue, long passedOn) {
    // A span that ends from now on is due only after the delay, so it does not need to wake this
    // thread.
    long wait = Math.max(Math.min(untilDue, shared.delay.nanos()), BATCH_NANOS);
    if (untilDue == SpanQueue.EMPTY && passedOn == 0 && maySleep(now, wait)) {
      return ending ? LastingThread.END : LastingThread.FOREVER;
    }
    return nextRound(now, wait);
  }

  private boolean maySleep(long now, long wait) {
    looksBy.set(NOBODY_LOOKS);
    // A span that was added before the line above did not wake this thread.
    return waiting.isEmpty() || !looksBy.compareAndSet(NOBODY_LOOKS, lookBy(now, wait));
  }

  private void shutDown() {
    gate.close();
    waiting.queue.markDueUntil(waiting.queue.offered());
    if (!waiting.passOn(waiting.queue.dueEnd(), shutdownIsLate)) {
      lost = waiting.drop();
      lostLogger.warn(
          lost
              + " ended spans are lost, because a span processor took them too slowly during its"
              + " shutdown: "
              + downstream);
    }
    released.countDown();
    shutDown = true;
    downstream.shutdownInto(shutdown);
    results.end(shutdown);
  }

  /** Drops spans that came too late: the processor was shut down and accepts nothing. */
  private long afterShutdown() {
    for (Flush flush = flushes.peek(); flush != null; flush = flushes.peek()) {
      flush(flush, shared.delay.nanoTime());
    }
    waiting.drop();
    return LastingThread.END;
  }
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.delay;

import io.otelprofiling.correlation.internal.log.RateLimitedLogger;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** The delaying processors of one SDK. Thread-safe, except for {@link #releaseDue}. */
public final class DelayingSpanProcessors {
  /** The result of {@link #releaseDue} if no span waits. */
  public static final long NOTHING_DUE = DelayingSpanProcessor.EMPTY;

  // Spans that come due within this time are passed on together, because passing on wakes two
  // threads. Where many spans end, that costs more than an earlier export is worth.
  private static final long MIN_WAIT_NANOS = TimeUnit.MICROSECONDS.toNanos(100);
  private static final long MIN_WAIT_OF_MANY_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final int MANY = 8;

  private final SamplesDelay delay;
  private final List<DelayingSpanProcessor> processors = new CopyOnWriteArrayList<>();

  // Used by the worker only.
  private boolean spansWaited;
  private long delayedSpansBefore;

  public DelayingSpanProcessors(SamplesDelay delay) {
    this.delay = delay;
  }

  public void add(DelayingSpanProcessor processor) {
    processors.add(processor);
  }

  /** Returns a view of all processors, to which later ones are added. */
  public List<DelayingSpanProcessor> all() {
    return processors;
  }

  /**
   * Starts the threads of all processors.
   *
   * @throws OutOfMemoryError if the system provides no thread
   */
  public void start() {
    processors.forEach(DelayingSpanProcessor::start);
  }

  /**
   * Passes on all waiting spans and delays no more. A failure is logged and does not affect the
   * others.
   */
  public void end(RateLimitedLogger logger) {
    for (DelayingSpanProcessor processor : processors) {
      try {
        processor.end();
      } catch (Throwable e) {
        logger.warn("A span processor did not stop delaying spans", e);
      }
    }
  }

  /**
   * Passes on the spans that have waited long enough. To be called by the worker; never throws.
   *
   * @param messagesReadSince when the worker began to read all messages, by {@link
   *     System#nanoTime()}
   * @return nanoseconds until the next call at the latest, or {@link #NOTHING_DUE}
   */
  public long releaseDue(long messagesReadSince) {
    long wait = NOTHING_DUE;
    long delayedSpans = 0;
    for (DelayingSpanProcessor processor : processors) {
      wait = Math.min(wait, processor.releaseDue(messagesReadSince));
      delayedSpans += processor.delayedSpans();
    }
    boolean many = delayedSpans - delayedSpansBefore >= MANY;
    delayedSpansBefore = delayedSpans;
    long minWait = many ? MIN_WAIT_OF_MANY_NANOS : MIN_WAIT_NANOS;
    // A span that ends from now on is due after the delay, and does not wake a worker that waits
    // for something else.
    long untilNextSpan = Math.max(delay.nanos(), minWait);
    if (wait != NOTHING_DUE) {
      spansWaited = true;
      long noLater = delay.isActive() ? Math.min(wait, untilNextSpan) : wait;
      return Math.max(noLater, minWait);
    }
    if (!spansWaited) {
      return NOTHING_DUE;
    }
    // As long as spans keep coming, looking that often spares each of them the system call that
    // wakes the worker.
    spansWaited = false;
    return untilNextSpan;
  }
}

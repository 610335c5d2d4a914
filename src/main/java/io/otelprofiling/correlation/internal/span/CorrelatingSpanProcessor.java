/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.span;

import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.otelprofiling.correlation.internal.config.CorrelationConfig;
import io.otelprofiling.correlation.internal.log.RateLimitedLogger;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Lets sampled local root spans wait in a bounded queue, then gives them, with their stack trace
 * ids, to the processor behind it. All other spans pass at once, as the same object. Spans end on
 * any thread; waiting ones leave on the channel's thread. Whoever takes a span out of the queue
 * forwards it, so each leaves exactly once.
 *
 * <p>Source: Universal profiling integration, "Correlation attributes".
 */
public final class CorrelatingSpanProcessor implements DelayingSpanProcessor {
  /** Result of {@link #releaseDue} when no span waits. */
  public static final long EMPTY = Long.MAX_VALUE;

  // Half of what would overflow.
  private static final long FOREVER = Long.MAX_VALUE / 2;

  private static final Logger logger = Logger.getLogger(CorrelatingSpanProcessor.class.getName());

  /** What the processor needs of the running plug-in. */
  public interface Channel {
    /** Runs the task after all datagrams that have arrived by now; inline if there is no thread. */
    void execute(Runnable task);

    /**
     * Makes sure that somebody calls {@link #releaseDue} in time. Called for every delayed span.
     */
    void spanWaits();
  }

  private final SpanProcessor downstream;
  private final LocalRootSpans localRoots;
  private final SamplesDelay delay;
  private final Channel channel;
  private final LongSupplier nanoClock;
  private final DelayedSpanQueue queue;
  private final ReentrantLock takeLock = new ReentrantLock();
  private final DelayedSpanQueue.Batch dueBatch = new DelayedSpanQueue.Batch();
  private final RateLimitedLogger fullLogger = new RateLimitedLogger(logger);
  private final RateLimitedLogger failureLogger = new RateLimitedLogger(logger);
  private final AtomicReference<@Nullable CompletableResultCode> shutdownResult =
      new AtomicReference<>();
  private final AtomicLong releasedEarly = new AtomicLong();
  private final AtomicLong attachedStackTraceIds = new AtomicLong();
  private volatile boolean closed;

  /**
   * Wraps a processor.
   *
   * @param capacity how many spans may wait
   * @param nanoClock as {@link System#nanoTime()}
   */
  public CorrelatingSpanProcessor(
      SpanProcessor downstream,
      LocalRootSpans localRoots,
      SamplesDelay delay,
      Channel channel,
      int capacity,
      LongSupplier nanoClock) {
    this.downstream = downstream;
    this.localRoots = localRoots;
    this.delay = delay;
    this.channel = channel;
    this.nanoClock = nanoClock;
    this.queue = new DelayedSpanQueue(capacity);
  }

  @Override
  public void onStart(Context parentContext, ReadWriteSpan span) {
    downstream.onStart(parentContext, span);
  }

  @Override
  public boolean isStartRequired() {
    return downstream.isStartRequired();
  }

  @Override
  public void onEnd(ReadableSpan span) {
    LocalRoot root = delay.isActive() && !closed ? sampledLocalRoot(span) : null;
    if (root == null) {
      downstream.onEnd(span);
      return;
    }
    localRoots.hold(root);
    if (!queue.offer(span, root, nanoClock.getAsLong())) {
      releasedEarly.incrementAndGet();
      fullLogger.warn(
          "The queue of spans that wait for stack traces is full, a span was exported at once and"
              + " may lack some. Raise "
              + CorrelationConfig.BUFFER_SIZE);
      release(span, root);
    } else if (closed || !delay.isActive()) {
      releaseAll(); // nobody may come for it any more
    } else {
      channel.spanWaits();
    }
  }

  private @Nullable LocalRoot sampledLocalRoot(ReadableSpan span) {
    if (!span.getSpanContext().isSampled() || !LocalRootSpans.isLocalRoot(span)) {
      return null;
    }
    return localRoots.find(span.getSpanContext());
  }

  @Override
  public boolean isEndRequired() {
    return downstream.isEndRequired();
  }

  /**
   * Forwards the spans that have waited long enough. For one thread.
   *
   * @return nanoseconds until the next one is due, {@link #EMPTY} if none waits
   */
  public long releaseDue() {
    long wait;
    do {
      wait = releaseBatch(dueBatch, delay.nanos());
    } while (wait <= 0);
    return wait;
  }

  /** Forwards all spans that wait. */
  public void releaseAll() {
    DelayedSpanQueue.Batch batch = new DelayedSpanQueue.Batch();
    while (releaseBatch(batch, -FOREVER) != EMPTY) {
      // the next ones
    }
  }

  private long releaseBatch(DelayedSpanQueue.Batch batch, long delayNanos) {
    takeLock.lock();
    try {
      if (queue.isEmpty()) {
        return EMPTY;
      }
      long endedUntil = nanoClock.getAsLong() - delayNanos;
      long wait = queue.firstEndNanos() - endedUntil;
      if (wait > 0) {
        return wait;
      }
      queue.take(batch, endedUntil);
    } finally {
      takeLock.unlock();
    }
    for (int i = 0; i < batch.count; i++) {
      forward(batch.spans[i], batch.roots[i]);
      batch.spans[i] = null;
      batch.roots[i] = null;
    }
    return 0;
  }

  @SuppressWarnings("NullAway") // the batch is filled up to its count
  private void forward(@Nullable ReadableSpan span, @Nullable LocalRoot root) {
    try {
      release(span, root);
    } catch (Throwable e) {
      failureLogger.warn("A span processor failed on a delayed span", e);
    }
  }

  private void release(ReadableSpan span, LocalRoot root) {
    try {
      List<String> stackTraceIds = root.freeze();
      if (stackTraceIds.isEmpty()) {
        downstream.onEnd(span);
      } else {
        attachedStackTraceIds.addAndGet(stackTraceIds.size());
        downstream.onEnd(new CorrelatedSpan(span, stackTraceIds));
      }
    } finally {
      localRoots.letGo(root);
    }
  }

  @Override
  public CompletableResultCode forceFlush() {
    CompletableResultCode result = new CompletableResultCode();
    channel.execute(
        () -> {
          releaseAll();
          finishAfter(downstream::forceFlush, result);
        });
    return result;
  }

  @Override
  public CompletableResultCode shutdown() {
    CompletableResultCode result = new CompletableResultCode();
    if (!shutdownResult.compareAndSet(null, result)) {
      CompletableResultCode earlier = shutdownResult.get();
      return earlier == null ? result : earlier;
    }
    channel.execute(
        () -> {
          closed = true; // not before: spans of requests that end right now have stack traces too
          releaseAll();
          finishAfter(downstream::shutdown, result);
        });
    return result;
  }

  /** How many spans have waited or do. */
  public long delayedSpans() {
    return queue.offered();
  }

  /** How many spans found the queue full. */
  public long spansReleasedEarly() {
    return releasedEarly.get();
  }

  /** How many spans wait. */
  public long waitingSpans() {
    return queue.size();
  }

  /** How many stack trace ids were on the spans that were forwarded. */
  public long attachedStackTraceIds() {
    return attachedStackTraceIds.get();
  }

  private interface Step {
    CompletableResultCode start();
  }

  private void finishAfter(Step step, CompletableResultCode result) {
    try {
      CompletableResultCode stepResult = step.start();
      stepResult.whenComplete(
          () -> {
            if (stepResult.isSuccess()) {
              result.succeed();
            } else {
              result.fail();
            }
          });
    } catch (Throwable e) {
      failureLogger.warn("A span processor failed to flush or shut down", e);
      result.fail();
    }
  }

  @Override
  public String toString() {
    return "CorrelatingSpanProcessor{" + downstream + "}";
  }
}

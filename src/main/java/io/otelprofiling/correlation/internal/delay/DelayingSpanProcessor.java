/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.delay;

import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.otelprofiling.correlation.internal.localroot.LocalRoot;
import io.otelprofiling.correlation.internal.localroot.LocalRootSpans;
import io.otelprofiling.correlation.internal.log.RateLimitedLogger;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Holds sampled local root spans in a bounded queue, then passes them, with their stack trace ids,
 * to the downstream processor. All other spans pass immediately and unchanged. Spans may end on any
 * thread. Delayed spans leave on the thread of a {@link SpanReleaser}. Only this thread takes spans
 * from the queue, so each span leaves exactly once.
 *
 * <p>Every span whose {@code end} has returned is passed on before a later {@code forceFlush} or
 * {@code shutdown} reaches the downstream processor. A local root span that ends during a shutdown
 * and would be delayed is passed on before the downstream processor is shut down, or not at all.
 *
 * <p>Source: Universal profiling integration, "Correlation attributes".
 */
public final class DelayingSpanProcessor implements PluginSpanProcessor {
  private static final long PAUSE_AFTER_ERROR_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final Logger logger = Logger.getLogger(DelayingSpanProcessor.class.getName());

  /** The parts of the worker that the processor needs. */
  public interface Scheduler {
    /**
     * Runs the task after all messages that have arrived by now, or inline if there is no worker.
     */
    void execute(Runnable task);

    /**
     * Handles all messages that have arrived by now, on the caller's thread. Never throws.
     *
     * @param againNanos the time within which the caller will call this again, or 0
     */
    void handleMessages(long againNanos);
  }

  private final SpanProcessor processor;
  private final Downstream downstream;
  private final LocalRootSpans localRoots;
  private final SamplesDelay samplesDelay;
  private final String fullMessage; // built once, because a full queue stays full
  private final LongSupplier nanoClock;
  private final SpanReleaser releaser;
  private final WaitingSpans waiting;
  private final MessageBarrier messages;
  private final ClosingGate gate = new ClosingGate();
  private final RateLimitedLogger fullLogger = new RateLimitedLogger(logger);
  private final RateLimitedLogger failureLogger = new RateLimitedLogger(logger);
  private final ProcessorShutdown shutdown;
  private final AtomicLong releasedEarly = new AtomicLong();
  private volatile boolean started; // while false, no plug-in runs that would delay spans
  private boolean flushesFromWithin; // used by the releaser's thread only

  /**
   * Wraps a processor.
   *
   * @param capacity the number of spans that may wait
   * @param capacitySetting the name of the setting for the capacity, for messages
   * @param nanoClock returns the time like {@link System#nanoTime()}
   */
  public DelayingSpanProcessor(
      SpanProcessor processor,
      SampleReport report,
      LocalRootSpans localRoots,
      SamplesDelay delay,
      Scheduler scheduler,
      int capacity,
      String capacitySetting,
      LongSupplier nanoClock) {
    this(
        processor,
        report,
        localRoots,
        delay,
        scheduler,
        capacity,
        capacitySetting,
        nanoClock,
        new SpanReleaser());
  }

  DelayingSpanProcessor(
      SpanProcessor processor,
      SampleReport report,
      LocalRootSpans localRoots,
      SamplesDelay delay,
      Scheduler scheduler,
      int capacity,
      String capacitySetting,
      LongSupplier nanoClock,
      SpanReleaser releaser) {
    this.processor = processor;
    this.downstream = new Downstream(processor, report);
    this.localRoots = localRoots;
    this.samplesDelay = delay;
    this.fullMessage =
        "The queue of spans that wait for stack traces is full; a span was exported at once and may"
            + " lack some. Raise "
            + capacitySetting;
    this.nanoClock = nanoClock;
    this.releaser = releaser;
    this.waiting =
        new WaitingSpans(downstream, localRoots, delay, scheduler, releaser, capacity, nanoClock);
    this.messages = new MessageBarrier(scheduler, waiting, releaser, failureLogger);
    this.shutdown =
        new ProcessorShutdown(gate, waiting, downstream, releaser, messages, failureLogger);
  }

  /**
   * Starts the thread that passes on delayed spans.
   *
   * @throws OutOfMemoryError if the system cannot create a thread
   */
  public void start() {
    releaser.start();
    started = true;
  }

  /** Passes on the waiting spans. Called after the plug-in has ended and delays no more spans. */
  public void end() {
    waiting.releaseLeftOver();
    releaser.endWhenIdle();
    releaser.watchItself();
  }

  @Override
  public void onStart(Context parentContext, ReadWriteSpan span) {
    processor.onStart(parentContext, span);
  }

  @Override
  public boolean isStartRequired() {
    return processor.isStartRequired();
  }

  @Override
  public boolean isEndRequired() {
    return processor.isEndRequired();
  }

  @Override
  public void onEnd(ReadableSpan span) {
    if (gate.isClosing()) {
      passThroughGate(span, isSampledLocalRoot(span) ? entry(span) : null);
    } else if (!started || !samplesDelay.hasBegun() || !isSampledLocalRoot(span)) {
      downstream.onEnd(span);
    } else {
      onSampledLocalRootEnd(span);
    }
  }

  private void onSampledLocalRootEnd(ReadableSpan span) {
    LocalRoot root = entry(span);
    if (root != null && samplesDelay.isActive() && !root.isFrozen()) {
      delay(span, root);
    } else {
      // No more ids will arrive: the plug-in is ending, or the span has already waited in another
      // of our processors. A shutdown may have begun and completed since this thread checked.
      passThroughGate(span, root);
    }
  }

  private void passThroughGate(ReadableSpan span, @Nullable LocalRoot root) {
    boolean entered = true;
    try {
      if (!gate.enter()) {
        return;
      }
    } catch (Throwable e) {
      entered = false;
      failureLogger.warn("A span is passed on during a shutdown", e); // which may lose it
    }
    try {
      downstream.onEndWithIds(span, root);
    } finally {
      if (entered) {
        gate.leave();
      }
    }
  }

  private boolean isSampledLocalRoot(ReadableSpan span) {
    try {
      return span.getSpanContext().isSampled() && LocalRootSpans.isLocalRoot(span);
    } catch (Throwable e) {
      failureLogger.warn("A span is passed on without its stack traces", e);
      return false;
    }
  }

  private @Nullable LocalRoot entry(ReadableSpan span) {
    try {
      return localRoots.entryOf(span.getSpanContext());
    } catch (Throwable e) {
      failureLogger.warn("A span is passed on without its stack traces", e);
      return null;
    }
  }

  private void delay(ReadableSpan span, LocalRoot root) {
    if (!root.retain()) {
      passThroughGate(span, root);
      return;
    }
    boolean waits = false;
    try {
      long now = waiting.offer(span, root);
      waits = now != WaitingSpans.FULL;
      if (waits && (gate.isClosing() || !samplesDelay.isActive())) {
        waiting.releaseLeftOver(); // nobody may be looking for due spans any more
      } else if (waits) {
        waiting.ensureRelease(now);
      } else {
        releasedEarly.incrementAndGet();
        fullLogger.warn(fullMessage);
      }
    } catch (Throwable e) {
      failureLogger.warn("A span may be released at the wrong time because of an error", e);
    }
    if (!waits) {
      try {
        passThroughGate(span, root);
      } finally {
        waiting.release(root);
      }
    }
  }

  /** See {@link WaitingSpans#releaseDue}. */
  long releaseDue() {
    return waiting.releaseDue();
  }

  /**
   * Fails pending flushes and shutdowns if the downstream processor has blocked for too long. Never
   * throws.
   *
   * @return nanoseconds until the next call, or {@link SpanReleaser#NOTHING_PENDING}
   */
  long checkProgress() {
    try {
      return releaser.checkProgress(nanoClock.getAsLong());
    } catch (Throwable e) {
      failureLogger.warn("A flush or shutdown may never complete if its span processor blocks", e);
      return PAUSE_AFTER_ERROR_NANOS;
    }
  }

  @Override
  public CompletableResultCode forceFlush() {
    if (!started) {
      return downstream.forceFlush();
    }
    if (releaser.isCurrentThread()) {
      return flushFromWithin();
    }
    try {
      CompletableResultCode result = releaser.newResult();
      flush(result);
      return result;
    } catch (Throwable e) {
      failureLogger.warn("Delayed spans were not passed on before a flush", e);
    }
    return downstream.forceFlush();
  }

  private void flush(CompletableResultCode result) {
    try {
      messages.runAfterMessages(
          end -> {
            waiting.releaseUntil(end);
            downstream.flushInto(result);
          },
          () -> downstream.flushInto(result));
    } catch (Throwable e) {
      failureLogger.warn("Delayed spans were not passed on before a flush", e);
      downstream.flushInto(result);
    }
  }

  /**
   * Flushes while the downstream processor is receiving a delayed span, on the thread that must
   * also deliver the remaining spans. A flush within such a flush only flushes the downstream
   * processor: one recursion per waiting span would exhaust the stack.
   */
  private CompletableResultCode flushFromWithin() {
    if (flushesFromWithin) {
      return downstream.forceFlush();
    }
    flushesFromWithin = true;
    try {
      messages.awaitMessages();
      waiting.releaseAll();
    } finally {
      flushesFromWithin = false;
    }
    return downstream.forceFlush();
  }

  @Override
  public CompletableResultCode shutdown() {
    return started ? shutdown.begin() : downstream.shutdown();
  }

  /** After a shutdown has begun, waits up to {@code nanos} until all spans have been released. */
  public void awaitRelease(long nanos) throws InterruptedException {
    shutdown.awaitRelease(nanos);
  }

  /** Returns how many spans have been delayed, including those that still wait. */
  public long delayedSpans() {
    return waiting.offered();
  }

  /** Returns how many spans found the queue full. */
  public long spansReleasedEarly() {
    return releasedEarly.get();
  }

  /** Returns how many spans wait. */
  public long waitingSpans() {
    return waiting.size();
  }

  /** Returns how many stack trace ids were attached to spans that were passed on. */
  public long attachedStackTraceIds() {
    return downstream.attachedStackTraceIds();
  }

  @Override
  public String toString() {
    return "DelayingSpanProcessor{" + processor + "}";
  }
}

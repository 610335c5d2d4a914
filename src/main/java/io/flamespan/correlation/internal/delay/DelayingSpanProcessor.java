/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.delay;

import io.flamespan.correlation.internal.config.Settings;
import io.flamespan.correlation.internal.localroot.LocalRoot;
import io.flamespan.correlation.internal.localroot.LocalRootSpans;
import io.flamespan.correlation.internal.localroot.SpanTimes;
import io.flamespan.correlation.internal.log.RateLimitedLogger;
import io.flamespan.correlation.internal.threads.LastingThread;
import io.flamespan.correlation.internal.wrapping.CorrelatedSpan;
import io.flamespan.correlation.internal.wrapping.ForwardingSpanProcessor;
import io.flamespan.correlation.internal.wrapping.PluginSpanProcessor;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Holds sampled local root spans in a bounded queue, then passes them, with their stack trace ids,
 * to the downstream processor. All other spans pass immediately and unchanged. Spans may end on any
 * thread. Delayed spans leave on a thread of this processor, so one that blocks delays neither the
 * messages of profilers nor other processors: see {@link Releaser}.
 *
 * <p>Every span whose {@code end} has returned is passed on before a later {@code forceFlush} or
 * {@code shutdown} reaches the downstream processor. A local root span that ends during a shutdown
 * and would be delayed is passed on before the downstream processor is shut down, or not at all.
 *
 * <p>Source: Universal profiling integration, "Correlation attributes".
 */
public final class DelayingSpanProcessor extends ForwardingSpanProcessor
    implements PluginSpanProcessor {
  private static final String FULL =
      "The queue of spans that wait for stack traces is full; a span was exported at once and may"
          + " lack some. Raise "
          + Settings.BUFFER_SIZE;

  private final SpanProcessor processor;
  private final Downstream downstream;
  private final SharedState shared;
  private final Releaser releaser;
  private final Callable<CompletableResultCode> flush; // linked at the start, which needs memory
  private final RateLimitedLogger fullLogger = new RateLimitedLogger(DelayingSpanProcessor.class);
  private final RateLimitedLogger failureLogger =
      new RateLimitedLogger(DelayingSpanProcessor.class);
  private final AtomicLong releasedEarly = new AtomicLong();
  private volatile boolean started; // while false, no plug-in runs that would delay spans

  /**
   * Wraps a processor.
   *
   * @param queueSize the size of the processor's queue according to the settings, or 0
   * @param wake lets somebody call {@link #round}; null for a thread of this processor
   */
  DelayingSpanProcessor(
      SpanProcessor processor, int queueSize, SharedState shared, @Nullable Runnable wake) {
    this.processor = processor;
    this.downstream = new Downstream(processor, shared);
    this.shared = shared;
    this.releaser =
        new Releaser(downstream, shared, queueSize, wake == null ? ownThread()::wake : wake);
    this.flush = releaser::flush;
    shared.delay.onShorter(this::passOnDue);
    shared.delay.onDelivery(this::samplesDelivered);
  }

  @SuppressWarnings("UnnecessaryLambda") // the releaser is created afterwards
  private LastingThread ownThread() {
    return new LastingThread(
        "flamespan-release",
        this::round,
        failureLogger,
        "Delayed spans leave later because of an error");
  }

  /** See {@link Releaser#round}. */
  long round() {
    return releaser.round();
  }

  private void samplesDelivered() {
    if (releaser.waiting() > 0) { // an idle process wakes nobody
      releaser.wake();
    }
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

  /** Passes on the spans that have become due: all, if the plug-in has ended. */
  public void passOnDue() {
    if (started) {
      releaser.wake(); // also if no spans wait: it may sleep for the longer delay
    }
  }

  @Override
  protected SpanProcessor target() {
    return processor;
  }

  /** Whatever fails here, the span is passed on, unless it waits already. */
  @Override
  public void onEnd(ReadableSpan span) {
    LocalRoot root = null; // retained until it is left
    boolean mayWait = false;
    boolean entered = false;
    boolean leaves = true;
    try {
      try {
        if (started) {
          boolean begun = shared.delay.hasBegun();
          if ((begun || SpanTimes.taken() != null) && isSampledLocalRoot(span)) {
            mayWait = begun;
            root = retained(span);
          }
        }
        if (root != null) {
          root.endTimes();
        }
        if (root != null && !releaser.isClosing() && shared.delay.appliesTo(root)) {
          long now = releaser.offer(span, root);
          if (now == Releaser.FULL) {
            releasedEarly.incrementAndGet();
            fullLogger.warn(FULL);
          } else {
            leaves = false;
            root = null; // the releaser leaves it
            releaser.ensureRelease(now);
          }
        }
        // Nothing leaves after a shutdown, which may have completed since this thread looked.
        if (leaves && (mayWait || releaser.isClosing())) {
          entered = releaser.enter();
          leaves = entered;
        }
      } catch (Throwable e) {
        failureLogger.warn("A span is passed on late, or without its stack traces", e);
      }
      if (leaves) {
        LocalRoot left = root;
        root = null;
        downstream.onEnd(span, left);
      }
    } finally {
      if (entered) {
        releaser.exit();
      }
      if (root != null) {
        shared.localRoots.release(root);
      }
    }
  }

  private static boolean isSampledLocalRoot(ReadableSpan span) {
    return span.getSpanContext().isSampled() && LocalRootSpans.isLocalRoot(span);
  }

  /**
   * Returns the local root if it may have ids or times, after retaining it: not if it is unknown,
   * or has waited in another of our processors, which is in front of this one.
   */
  private @Nullable LocalRoot retained(ReadableSpan span) {
    LocalRoot root =
        span instanceof CorrelatedSpan ? null : shared.localRoots.entryOf(span.getSpanContext());
    return root != null && root.retain() ? root : null;
  }

  @Override
  public CompletableResultCode forceFlush() {
    CompletableResultCode flushed =
        started
            ? failureLogger.orElse(null, "Delayed spans were not passed on before a flush", flush)
            : null;
    return flushed == null ? downstream.forceFlush() : flushed;
  }

  @Override
  public CompletableResultCode shutdown() {
    return started ? releaser.shutdown() : processor.shutdown();
  }

  /** After a shutdown has begun, waits up to {@code nanos} until all spans have been released. */
  public void awaitRelease(long nanos) throws InterruptedException {
    releaser.awaitRelease(nanos);
  }

  /** Returns how many spans have been delayed, including waiting ones. */
  public long delayedSpans() {
    return releaser.delayed();
  }

  /** Returns how many spans found the queue full. */
  public long spansReleasedEarly() {
    return releasedEarly.get();
  }

  /** Returns how many spans wait. */
  public long waitingSpans() {
    return releaser.waiting();
  }

  /** Returns how many spans were lost, because a shutdown could not pass them on in time. */
  public long lostSpans() {
    return releaser.lost();
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

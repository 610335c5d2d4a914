/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.delay;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.otelprofiling.correlation.concurrency.Spans;
import io.otelprofiling.correlation.internal.localroot.LocalRootSpans;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A delaying processor, a span that can end, and the spans that the processor passed on. */
final class Processors implements SpanProcessor, DelayingSpanProcessor.Scheduler {
  private static final LocalRootSpans SPANS = new LocalRootSpans(); // shared, as in a real process

  final SamplesDelay delay = new SamplesDelay();
  final AtomicInteger arrivals = new AtomicInteger();
  final AtomicInteger refused = new AtomicInteger(); // arrivals after the shutdown
  final DelayingSpanProcessor processor;
  private final SpanReleaser releaser = new SpanReleaser();
  private final ReadableSpan span = Spans.root();
  private volatile boolean shutDown;

  Processors() {
    processor =
        new DelayingSpanProcessor(
            this,
            new SampleReport(null, null),
            SPANS,
            delay,
            this,
            10,
            "buffer.size",
            System::nanoTime,
            releaser);
    boolean unused = SPANS.onStart(span.getSpanContext());
    ((Span) span).end();
    processor.start();
    releaser.endWhenIdle(); // a test creates thousands of these
  }

  /** Ends the span, as the SDK does. */
  void endSpan() {
    processor.onEnd(span);
    SPANS.onEnd(span.getSpanContext());
  }

  /** Lets the releaser pass on due spans. */
  void releaseDue() {
    releaser.execute(processor::releaseDue);
  }

  /** Waits until the releaser is idle. */
  void awaitReleaser() {
    CountDownLatch done = new CountDownLatch(1);
    releaser.execute(done::countDown);
    try {
      if (!done.await(1, TimeUnit.MINUTES)) {
        throw new AssertionError("The releaser hangs");
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  // The scheduler does nothing: the actors play the worker.

  @Override
  public void execute(Runnable task) {
    task.run();
  }

  @Override
  public void handleMessages(long againNanos) {}

  // The application's span processor.

  @Override
  public void onStart(Context parentContext, ReadWriteSpan span) {}

  @Override
  public boolean isStartRequired() {
    return false;
  }

  @Override
  public void onEnd(ReadableSpan span) {
    (shutDown ? refused : arrivals).incrementAndGet();
  }

  @Override
  public boolean isEndRequired() {
    return true;
  }

  @Override
  public CompletableResultCode shutdown() {
    shutDown = true;
    return CompletableResultCode.ofSuccess();
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.delay;

import io.flamespan.correlation.concurrency.Spans;
import io.flamespan.correlation.internal.localroot.LocalRootSpans;
import io.flamespan.correlation.internal.wrapping.SampleReport;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import java.util.concurrent.atomic.AtomicInteger;

/** A delaying processor, a span that can be ended, and counters of the spans that come out. */
final class Processors implements SpanProcessor {
  private static final LocalRootSpans SPANS = new LocalRootSpans(); // one for all, as in a process

  final SamplesDelay delay = new SamplesDelay();
  private final AtomicInteger wakeUps = new AtomicInteger();
  final AtomicInteger arrivals = new AtomicInteger();
  final AtomicInteger refused = new AtomicInteger(); // arrivals after the shutdown
  final DelayingSpanProcessor processor;
  private final ReadableSpan span = Spans.root();
  private final SharedState shared =
      new SharedState(SPANS, delay, again -> {}, new SampleReport(null, null), 10);
  private volatile boolean shutDown;

  Processors() {
    processor = new DelayingSpanProcessor(this, 0, shared, wakeUps::incrementAndGet);
    boolean unused = SPANS.onStart(span.getSpanContext());
    ((Span) span).end();
    processor.start();
  }

  /** Returns another releaser in front of the same processor, for which nothing waits. */
  Releaser releaser() {
    return new Releaser(new Downstream(this, shared), shared, 0, wakeUps::incrementAndGet);
  }

  /** Ends the span, as the SDK does. */
  void endSpan() {
    processor.onEnd(span);
    SPANS.onEnd(span.getSpanContext());
  }

  /** Plays the releaser's thread, until nothing wakes it any more. One thread at a time. */
  void runRounds() {
    for (int woken = -1; woken != wakeUps.get(); ) {
      woken = wakeUps.get();
      long unused = processor.round();
    }
  }

  // The application's processor.

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

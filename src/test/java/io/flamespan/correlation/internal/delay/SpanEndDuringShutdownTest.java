/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.delay;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.internal.localroot.LocalRoot;
import io.flamespan.correlation.internal.localroot.LocalRootSpans;
import io.flamespan.correlation.internal.wrapping.SampleReport;
import io.flamespan.correlation.testing.RecordingSpanProcessor;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import java.lang.reflect.Proxy;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Promise: a local root span that ends during a shutdown is passed on before the next processor is
 * shut down, or not at all. Each test runs a whole shutdown between two steps of the thread that
 * ends a span, as if that thread had lost its CPU.
 */
class SpanEndDuringShutdownTest {
  private final LocalRootSpans localRoots = new LocalRootSpans();
  private final SamplesDelay delay = new SamplesDelay();
  private final RecordingSpanProcessor downstream = new RecordingSpanProcessor();
  private final SharedState shared =
      new SharedState(localRoots, delay, again -> {}, new SampleReport(null, null), 3);
  private final DelayingSpanProcessor processor =
      new DelayingSpanProcessor(downstream, 0, shared, () -> {});

  private ReadableSpan start() {
    delay.activate(TimeUnit.HOURS.toNanos(1));
    processor.start();
    SdkTracerProvider tracing =
        SdkTracerProvider.builder().addSpanProcessor(new RecordingSpanProcessor()).build();
    return (ReadableSpan) tracing.get("test").spanBuilder("root").startSpan();
  }

  private void shutDown() {
    processor.shutdown();
    processor.round();
    assertThat(downstream.endedAtShutdown).isZero();
  }

  /** Returns a proxy of the span that runs a step when it is asked for its ids. */
  private static ReadableSpan interrupted(ReadableSpan span, Runnable step) {
    return (ReadableSpan)
        Proxy.newProxyInstance(
            ReadableSpan.class.getClassLoader(),
            new Class<?>[] {ReadableSpan.class},
            (proxy, method, args) -> {
              if (method.getName().equals("getSpanContext")) {
                step.run();
              }
              return method.invoke(span, args);
            });
  }

  @Test
  void rootWithoutEntry_endedDuringShutdown_isNotPassedOn() {
    ReadableSpan unknown = start();
    processor.onEnd(interrupted(unknown, this::shutDown));

    assertThat(downstream.ended).isEmpty();
  }

  @Test
  void root_endedWhileThePluginEnds_isNotPassedOn() {
    ReadableSpan root = start();
    localRoots.onStart(root.getSpanContext());
    processor.onEnd(
        interrupted(
            root,
            () -> {
              shutDown();
              delay.deactivate();
            }));

    assertThat(downstream.ended).isEmpty();
  }

  @Test
  void root_offeredAfterTheLastRelease_isDropped() {
    ReadableSpan span = start();
    localRoots.onStart(span.getSpanContext());
    LocalRoot root = localRoots.entryOf(span.getSpanContext());
    root.retain();
    Releaser releaser = new Releaser(new Downstream(downstream, shared), shared, 0, () -> {});

    releaser.shutdown();
    releaser.round();
    assertThat(releaser.offer(span, root)).isNotEqualTo(Releaser.FULL);
    releaser.round();

    assertThat(downstream.ended).isEmpty();
    assertThat(releaser.waiting()).isZero();
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.stress;

import static io.flamespan.correlation.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.internal.delay.DelayingSpanProcessor;
import io.flamespan.correlation.internal.delay.SamplesDelay;
import io.flamespan.correlation.internal.delay.SharedState;
import io.flamespan.correlation.internal.delay.SpanProcessors;
import io.flamespan.correlation.internal.localroot.LocalRootSampler;
import io.flamespan.correlation.internal.localroot.LocalRootSpans;
import io.flamespan.correlation.internal.wrapping.SampleReport;
import io.flamespan.correlation.testing.LogCapturer;
import io.flamespan.correlation.testing.PlainTracker;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/**
 * Spans that end while a queue of two is released, flushed and shut down are released once before
 * the next processor is shut down, or not at all.
 */
class EndAgainstShutdownTest {
  // On an emulated CPU, threads take ten times as long to start.
  private static final int ROUNDS = Boolean.getBoolean("test.emulated") ? 2_000 : 20_000;
  private static final int ENDERS = 2;
  private static final int SPANS = 5;

  private final ExecutorService enders = Executors.newFixedThreadPool(ENDERS);

  @Test
  void spans_endedDuringShutdown_leaveOnceAndInTime() throws Exception {
    try (LogCapturer fullQueueIsIntended = new LogCapturer()) {
      for (int round = 0; round < ROUNDS; round++) {
        race(round);
      }
    }
    enders.shutdown();
  }

  private void race(int round) throws Exception {
    WatchedProcessor downstream = new WatchedProcessor();
    LocalRootSpans localRoots = new LocalRootSpans();
    SamplesDelay delay = new SamplesDelay();
    delay.activate(0);
    DelayingSpanProcessor processor =
        new SpanProcessors(
                new SharedState(localRoots, delay, again -> {}, new SampleReport(null, null), 2))
            .started(downstream);
    SdkTracerProvider provider =
        SdkTracerProvider.builder()
            .setSampler(new LocalRootSampler(Sampler.alwaysOn(), () -> true))
            .addSpanProcessor(processor)
            .addSpanProcessor(PlainTracker.of(localRoots))
            .build();
    Tracer tracer = provider.get("test");
    CyclicBarrier start = new CyclicBarrier(ENDERS + 1);
    AtomicBoolean shutdownCalled = new AtomicBoolean();
    List<String> endedInTime = new CopyOnWriteArrayList<>();
    List<String> endedMeanwhile = new CopyOnWriteArrayList<>();
    List<Future<?>> running = new ArrayList<>();
    for (int i = 0; i < ENDERS; i++) {
      running.add(
          enders.submit(
              () -> {
                start.await();
                for (int n = 0; n < SPANS; n++) {
                  Span span = tracer.spanBuilder(WatchedProcessor.WATCHED).startSpan();
                  span.end();
                  (shutdownCalled.get() ? endedMeanwhile : endedInTime)
                      .add(span.getSpanContext().getSpanId());
                }
                return null;
              }));
    }
    start.await();
    processor.forceFlush();
    shutdownCalled.set(true);
    CompletableResultCode result = processor.shutdown();
    delay.deactivate();
    for (Future<?> ender : running) {
      ender.get();
    }
    assertThat(result.join(1, TimeUnit.MINUTES).isSuccess()).isTrue();

    for (String span : endedInTime) {
      assertThat(downstream.takeArrivals(span)).as("round %d", round).isEqualTo(1);
    }
    for (String span : endedMeanwhile) {
      assertThat(downstream.takeArrivals(span)).as("round %d", round).isLessThanOrEqualTo(1);
    }
    assertThat(downstream.refusedRoots).as("refused in round %d", round).hasValue(0);
    // The releaser's thread drops the spans that came too late.
    await().pollDelay(Duration.ZERO).until(() -> processor.waitingSpans() == 0);
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.stress;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.ProfilingCorrelation;
import io.flamespan.correlation.testing.LogCapturer;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Promise: a span whose end has returned is passed on before any later flush or shutdown completes,
 * while more threads than CPUs end spans. The system properties test.stress.flushes and
 * test.stress.shutdowns set the number of rounds.
 */
class FlushAndShutdownStressTest {
  // An emulated CPU is ten times slower.
  private static final boolean EMULATED = Boolean.getBoolean("test.emulated");
  private static final int FLUSHES = Integer.getInteger("test.stress.flushes", EMULATED ? 20 : 200);
  private static final int SHUTDOWNS =
      Integer.getInteger("test.stress.shutdowns", EMULATED ? 5 : 50);
  private static final int BUSY_THREADS = 8;
  private static final int SPANS_BEFORE_SHUTDOWN = 20;

  @TempDir Path socketDir;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final LogCapturer fullQueueIsIntended = new LogCapturer();

  @AfterEach
  void endThreads() {
    threads.shutdownNow();
    fullQueueIsIntended.close();
  }

  private SdkTracerProvider start(WatchedProcessor downstream) {
    ProfilingCorrelation correlation =
        ProfilingCorrelation.builder(Resource.getDefault())
            .setMode(ProfilingCorrelation.Mode.ENABLED)
            .set("flamespan.buffer.size", "50000")
            .set("flamespan.process.context.enabled", "false")
            .set("flamespan.socket.dir", socketDir.toString())
            .start();
    return correlation
        .install(
            SdkTracerProvider.builder()
                .addSpanProcessor(ProfilingCorrelation.correlate(downstream)))
        .build();
  }

  private List<Future<?>> endSpans(Tracer tracer, AtomicBoolean done, long pauseNanos) {
    List<Future<?>> busy = new ArrayList<>();
    for (int i = 0; i < BUSY_THREADS; i++) {
      busy.add(
          threads.submit(
              () -> {
                while (!done.get()) {
                  tracer.spanBuilder("other").startSpan().end();
                  if (pauseNanos > 0) {
                    LockSupport.parkNanos(pauseNanos);
                  }
                }
              }));
    }
    return busy;
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 20_000})
  void flush_afterEnd_findsTheSpanPassedOn(long pauseNanos) throws Exception {
    WatchedProcessor downstream = new WatchedProcessor();
    AtomicBoolean done = new AtomicBoolean();
    int missed = 0;
    try (SdkTracerProvider tracing = start(downstream)) {
      Tracer tracer = tracing.get("test");
      tracer.spanBuilder("joins the plug-in").startSpan().end();
      List<Future<?>> busy = endSpans(tracer, done, pauseNanos);
      for (int i = 0; i < FLUSHES / 2; i++) {
        Span own = tracer.spanBuilder(WatchedProcessor.WATCHED).startSpan();
        own.end();
        assertThat(tracing.forceFlush().join(1, TimeUnit.MINUTES).isSuccess()).isTrue();
        missed += downstream.takeArrivals(own.getSpanContext().getSpanId()) == 1 ? 0 : 1;
      }
      done.set(true);
      for (Future<?> thread : busy) {
        thread.get();
      }
    }
    assertThat(missed).as("of %d flushes", FLUSHES / 2).isZero();
  }

  @Test
  void shutdown_afterEnd_refusesNoSpan() throws Exception {
    AtomicInteger missed = new AtomicInteger();
    int refused = 0;
    for (int i = 0; i < SHUTDOWNS; i++) {
      WatchedProcessor downstream = new WatchedProcessor();
      AtomicBoolean done = new AtomicBoolean();
      SdkTracerProvider tracing = start(downstream);
      Tracer tracer = tracing.get("test");
      List<Future<?>> busy = endSpans(tracer, done, 0);
      List<String> own = new ArrayList<>();
      for (int n = 0; n < SPANS_BEFORE_SHUTDOWN; n++) {
        Span span = tracer.spanBuilder(WatchedProcessor.WATCHED).startSpan();
        span.end();
        own.add(span.getSpanContext().getSpanId());
      }
      assertThat(tracing.shutdown().join(1, TimeUnit.MINUTES).isSuccess()).isTrue();
      done.set(true);
      for (Future<?> thread : busy) {
        thread.get();
      }
      own.forEach(id -> missed.addAndGet(downstream.takeArrivals(id) == 1 ? 0 : 1));
      refused += downstream.refusedRoots.get();
    }
    assertThat(missed).as("spans missed").hasValue(0);
    assertThat(refused).as("spans refused").isZero();
  }
}

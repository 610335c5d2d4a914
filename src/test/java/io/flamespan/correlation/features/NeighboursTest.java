/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import static io.flamespan.correlation.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.ProfilingCorrelation;
import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.LogCapturer;
import io.flamespan.correlation.testing.RecordingSpanProcessor;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.sdk.common.CompletableResultCode;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Promise: a blocked span processor of the application stalls neither the plug-in nor other
 * processors.
 */
class NeighboursTest {
  private final RecordingSpanProcessor added = new RecordingSpanProcessor();

  private CorrelatedSdk startWithAdded(String... settings) {
    added.flushResult.succeed();
    added.shutdownResult.succeed();
    return CorrelatedSdk.startWith(ProfilingCorrelation.correlate(added), settings);
  }

  private static void awaitLatch(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Makes spans wait for a flush from now on. */
  private static void neverDue(CorrelatedSdk app) {
    app.profiler().registration(60_000, "");
    app.flush();
  }

  @Test
  void blockedProcessor_othersGetTheirSpansAndMessages() {
    CountDownLatch blocked = new CountDownLatch(1);
    added.onEnd = span -> awaitLatch(blocked);
    try (CorrelatedSdk app = startWithAdded()) {
      neverDue(app);
      app.span("first").end();
      CompletableResultCode unused = app.sdk().getSdkTracerProvider().forceFlush();
      await().until(() -> !added.ended.isEmpty()); // the processor is blocked now

      Span second = app.span("second");
      second.end();
      app.profiler().correlation(second, 2);
      unused = app.sdk().getSdkTracerProvider().forceFlush();
      assertThat(app.receivedStackTraceIds(second)).hasSize(2);
      assertThat(added.ended).hasSize(1);
      blocked.countDown();
      app.flush();
      assertThat(added.ended).hasSize(2);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 60_000})
  void delayedSpan_anyDelay_isNotReleasedOnApplicationThreads(int delayMillis) {
    List<String> threads = new CopyOnWriteArrayList<>();
    added.onEnd = span -> threads.add(Thread.currentThread().getName());
    // With a second processor, a span that has already waited there would not wait again.
    try (CorrelatedSdk app = startWithAdded("otel.traces.exporter", "none")) {
      app.profiler().registration(delayMillis, "");
      app.flush();
      app.span("root").end();
      app.flush();
    }
    assertThat(threads).containsExactly("flamespan-release");
  }

  @Test
  void blockedProcessor_flushFailsInTime() {
    CountDownLatch blocked = new CountDownLatch(1);
    added.onEnd = span -> awaitLatch(blocked);
    try (CorrelatedSdk app = startWithAdded();
        LogCapturer log = new LogCapturer()) {
      app.span("root").end();
      CompletableResultCode flush = app.sdk().getSdkTracerProvider().forceFlush();
      assertThat(flush.join(1, TimeUnit.MINUTES).isDone()).isTrue();
      assertThat(flush.isSuccess()).isFalse();
      log.hasOneWarning("blocked");
      blocked.countDown();
    }
    assertThat(added.ended).hasSize(1);
  }

  @Test
  void span_endedRightAfterAFlush_isPassedOnAfterItsDelay() {
    try (CorrelatedSdk app = startWithAdded()) {
      app.profiler().registration(1, "");
      for (int i = 1; i <= 20; i++) {
        app.flush();
        app.span("root").end();
        int ended = i;
        await().until(() -> added.ended.size() == ended);
      }
    }
  }
}

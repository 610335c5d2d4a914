/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import static io.flamespan.correlation.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.LogCapturer;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.sdk.common.CompletableResultCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Promise: flush and shutdown neither lose nor duplicate spans, and a new SDK works again. */
class ForceFlushAndShutdownTest {
  @Test
  void shutdown_withMessagesInTheSocket_exportsAllThatWaits() {
    try (CorrelatedSdk app = CorrelatedSdk.start()) {
      app.profiler().registration(60_000, "");
      List<Span> roots = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        Span root = app.span("root");
        root.end();
        app.profiler().correlation(root, i + 1);
        roots.add(root);
      }
      CompletableResultCode result = app.sdk().getSdkTracerProvider().shutdown();
      assertThat(result.join(1, TimeUnit.MINUTES).isSuccess()).isTrue();

      for (int i = 0; i < 5; i++) {
        assertThat(app.receivedStackTraceIds(roots.get(i))).hasSize(i + 1);
      }
      assertThat(app.sdk().getSdkTracerProvider().shutdown().join(1, TimeUnit.MINUTES).isSuccess())
          .isTrue();
      assertThat(Files.exists(app.profiler().socket())).isFalse();
    }
  }

  @Test
  void newSdk_afterShutdown_usesTheSameSocketPath() {
    Path firstName;
    try (CorrelatedSdk first = CorrelatedSdk.start()) {
      firstName = first.profiler().socket().getFileName();
    }
    try (CorrelatedSdk second = CorrelatedSdk.start()) {
      Span root = second.span("root");
      root.end();
      second.profiler().correlation(root, 1);
      second.flush();
      assertThat(second.receivedStackTraceIds(root)).hasSize(1);
      assertThat(second.profiler().socket().getFileName()).isEqualTo(firstName);
    }
  }

  @Test
  void secondSdk_whileTheFirstRuns_isOffAndLosesNothing() {
    try (CorrelatedSdk first = CorrelatedSdk.start();
        LogCapturer log = new LogCapturer();
        CorrelatedSdk second = CorrelatedSdk.start()) {
      log.hasOneWarning("already serves the SDK of service checkout");
      Span root = second.span("root");
      root.end();
      second.flush();
      assertThat(second.receivedStackTraceIds(root)).isEmpty();

      second.close();
      Span ofFirst = first.span("root");
      ofFirst.end();
      first.profiler().correlation(ofFirst, 1);
      first.flush();
      assertThat(first.receivedStackTraceIds(ofFirst)).hasSize(1);
    }
  }

  @Test
  void spans_whileFlushesAndFullQueueRace_arriveOnce() throws Exception {
    int spansPerThread = 3_000;
    try (CorrelatedSdk app =
        CorrelatedSdk.start(
            CorrelatedSdk.PREFIX + "buffer.size",
            "50",
            "otel.bsp.max.queue.size",
            "100000",
            "otel.bsp.max.export.batch.size",
            "5000")) {
      ExecutorService threads = Executors.newFixedThreadPool(4);
      AtomicBoolean done = new AtomicBoolean();
      Future<?> flusher =
          threads.submit(
              () -> {
                while (!done.get()) {
                  app.flush();
                }
              });
      List<Future<?>> enders = new ArrayList<>();
      for (int t = 0; t < 3; t++) {
        enders.add(threads.submit(() -> endSpans(app, spansPerThread)));
      }
      try (LogCapturer log = new LogCapturer()) {
        for (Future<?> ender : enders) {
          ender.get();
        }
      }
      done.set(true);
      flusher.get();
      threads.shutdown();
      app.flush();
      await().until(() -> app.receiver().spans().size() >= 3 * spansPerThread);
      assertThat(app.sdk().getSdkTracerProvider().shutdown().join(1, TimeUnit.MINUTES).isSuccess())
          .isTrue();
      assertThat(spanIds(app)).hasSize(3 * spansPerThread).doesNotHaveDuplicates();
    }
  }

  private static List<String> spanIds(CorrelatedSdk app) {
    return app.receiver().spans().stream()
        .map(span -> CorrelatedSdk.hex(span.span().getSpanId().toByteArray()))
        .toList();
  }

  private static void endSpans(CorrelatedSdk app, int count) {
    for (int i = 0; i < count; i++) {
      app.span("root").end();
    }
  }
}

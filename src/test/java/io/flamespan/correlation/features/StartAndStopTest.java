/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import static io.flamespan.correlation.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flamespan.correlation.ProfilingCorrelation;
import io.flamespan.correlation.internal.runtime.Correlator;
import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.FakeProfiler;
import io.flamespan.correlation.testing.LogCapturer;
import io.flamespan.correlation.testing.RecordingMetricReader;
import io.flamespan.correlation.testing.RecordingSpanProcessor;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdkBuilder;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.SdkMeterProviderBuilder;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SdkTracerProviderBuilder;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Promise: the plug-in starts and stops as a whole, and leaves the process free for another SDK.
 */
class StartAndStopTest {
  @TempDir Path socketDir;
  private final RecordingSpanProcessor downstream = new RecordingSpanProcessor();

  private ProfilingCorrelation correlation() {
    return ProfilingCorrelation.builder(Resource.getDefault())
        .setMode(ProfilingCorrelation.Mode.ENABLED)
        .set("flamespan.socket.dir", socketDir.toString())
        .start();
  }

  private SdkTracerProviderBuilder tracing() {
    return SdkTracerProvider.builder().addSpanProcessor(ProfilingCorrelation.correlate(downstream));
  }

  private static void assertThatAnSdkIsServed() {
    try (CorrelatedSdk app = CorrelatedSdk.start()) {
      assertThat(app.profiler().socket()).exists();
    }
  }

  @Test
  void close_whileSpansWait_passesThemOnAndEnds() throws Exception {
    downstream.flushResult.succeed();
    downstream.shutdownResult.succeed();
    try (SdkTracerProvider provider = closeWhileASpanWaits()) {
      await().until(() -> downstream.ended.size() == 1);
      assertThat(FakeProfiler.sockets(socketDir)).isEmpty();
      assertThatAnSdkIsServed();

      provider.get("test").spanBuilder("later").startSpan().end();
      assertThat(downstream.ended).hasSize(2);
      assertThat(provider.forceFlush().join(1, TimeUnit.MINUTES).isSuccess()).isTrue();
      assertThat(downstream.endedAtFlush).isEqualTo(2);
    }
  }

  private SdkTracerProvider closeWhileASpanWaits() {
    try (ProfilingCorrelation correlation = correlation()) {
      SdkTracerProvider provider = correlation.install(tracing()).build();
      provider.get("test").spanBuilder("waits").startSpan().end();
      assertThat(downstream.ended).isEmpty();
      return provider;
    }
  }

  @Test
  void start_whileAnotherClassLoaderStarts_bindsNothingYet() throws Exception {
    downstream.shutdownResult.succeed();
    FutureTask<ProfilingCorrelation> start = new FutureTask<>(this::correlation);
    Thread thread = new Thread(start);
    // The plug-ins of all class loaders in the process lock this string.
    synchronized ("io.flamespan.correlation".intern()) {
      thread.start();
      await().until(StartAndStopTest::isFilesThreadBlocked);
      assertThat(FakeProfiler.sockets(socketDir)).isEmpty();
    }
    try (ProfilingCorrelation correlation = start.get(1, TimeUnit.MINUTES);
        SdkTracerProvider provider = correlation.install(tracing()).build()) {
      assertThat(FakeProfiler.sockets(socketDir)).hasSize(1);
    }
  }

  private static boolean isFilesThreadBlocked() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("flamespan-files"))
        .anyMatch(thread -> thread.getState() == Thread.State.BLOCKED);
  }

  @Test
  void install_secondCall_warnsAndServesTheFirst() throws Exception {
    downstream.shutdownResult.succeed();
    try (ProfilingCorrelation correlation = correlation();
        LogCapturer log = new LogCapturer()) {
      SdkTracerProvider first = correlation.install(tracing()).build();
      SdkTracerProvider second = correlation.install(SdkTracerProvider.builder()).build();
      log.hasOneWarning("tracer provider before");
      second.close();
      assertThat(FakeProfiler.sockets(socketDir)).hasSize(1);
      first.close();
      assertThat(FakeProfiler.sockets(socketDir)).isEmpty();
    }
  }

  @Test
  void install_secondMeterProvider_warnsAndCountsOnce() {
    RecordingMetricReader reader = new RecordingMetricReader();
    try (ProfilingCorrelation correlation = correlation();
        LogCapturer log = new LogCapturer()) {
      SdkMeterProviderBuilder metering = SdkMeterProvider.builder().registerMetricReader(reader);
      try (SdkMeterProvider provider = correlation.install(correlation.install(metering)).build()) {
        log.hasOneWarning("meter provider before");
        assertThat(reader.collect())
            .filteredOn(metric -> metric.getName().equals("profiling.correlation.messages"))
            .hasSize(1);
      }
    }
  }

  @Test
  void close_withoutInstall_warns() {
    try (LogCapturer log = new LogCapturer()) {
      ProfilingCorrelation correlation = correlation();
      correlation.close();
      correlation.close();
      log.hasOneWarning("never installed");
    }
  }

  @Test
  void start_whoseLogLineFails_isDoneAllTheSame() throws Exception {
    Logger logger = Logger.getLogger(Correlator.class.getName());
    FailingHandler failing = new FailingHandler();
    logger.addHandler(failing);
    try (ProfilingCorrelation correlation = correlation()) {
      SdkTracerProvider provider = correlation.install(tracing()).build();
      Span root = provider.get("test").spanBuilder("root").startSpan();
      root.end();
      assertThat(downstream.ended).as("it waits for stack traces").isEmpty();
      assertThat(FakeProfiler.sockets(socketDir)).hasSize(1);
    } finally {
      logger.removeHandler(failing);
    }
    assertThat(failing.called).isTrue();
    assertThatAnSdkIsServed();
  }

  private static List<Consumer<AutoConfiguredOpenTelemetrySdkBuilder>> failing() {
    RuntimeException requested = new IllegalStateException("requested by the test");
    return List.of(
        sdk ->
            sdk.addLoggerProviderCustomizer(
                (builder, config) -> {
                  throw requested;
                }),
        CorrelatedSdk.afterThePlugin(
            builder -> {
              throw requested;
            }));
  }

  @ParameterizedTest
  @MethodSource("failing")
  void laterCustomizer_thatThrows_leavesTheProcessFree(
      Consumer<AutoConfiguredOpenTelemetrySdkBuilder> failing) {
    assertThatThrownBy(() -> CorrelatedSdk.start(failing))
        .hasStackTraceContaining("requested by the test");
    assertThatAnSdkIsServed();
  }

  private static final class FailingHandler extends Handler {
    volatile boolean called;

    @Override
    public void publish(LogRecord record) {
      called = true;
      throw new IllegalStateException("requested by the test");
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.features;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.otelprofiling.correlation.ProfilingCorrelation;
import io.otelprofiling.correlation.testing.FakeProfiler;
import io.otelprofiling.testbed.harness.OtlpReceiver;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Promise: whatever load the SDK alone exports without loss, it exports without loss with the
 * plug-in. Nothing here is faster or larger than what users get: the SDK has its defaults, or less.
 */
class SdkWithDefaultsTest {
  private static final String PREFIX = "elastic.otel.universal.profiling.integration.";

  // As many as may wait. The SDK's queue has 2,048.
  private static final int ROOTS = 8_096;
  private static final Duration LIMIT = Duration.ofMinutes(1);

  @TempDir Path socketDir;

  private final List<OtlpReceiver> receivers = new ArrayList<>();
  private OtlpReceiver receiver;
  private OpenTelemetrySdk sdk;
  private FakeProfiler profiler;

  @BeforeEach
  void startReceiver() throws Exception {
    receiver = receiver();
  }

  private OtlpReceiver receiver() throws Exception {
    OtlpReceiver started = new OtlpReceiver();
    receivers.add(started);
    return started;
  }

  @AfterEach
  void close() {
    profiler.close();
    sdk.close();
    receivers.forEach(OtlpReceiver::close);
  }

  private void start(List<SpanProcessor> added, String... settings) {
    Map<String, String> properties = new HashMap<>();
    properties.put("otel.exporter.otlp.endpoint", receiver.endpoint());
    properties.put("otel.exporter.otlp.protocol", "http/protobuf");
    properties.put("otel.metrics.exporter", "none");
    properties.put("otel.logs.exporter", "none");
    properties.put(PREFIX + "enabled", "true");
    properties.put(PREFIX + "socket.dir", socketDir.toString());
    for (int i = 0; i < settings.length; i += 2) {
      properties.put(settings[i], settings[i + 1]);
    }
    sdk =
        AutoConfiguredOpenTelemetrySdk.builder()
            .disableShutdownHook()
            .addPropertiesSupplier(() -> properties)
            .addTracerProviderCustomizer(
                (tracing, config) -> {
                  added.forEach(
                      processor ->
                          tracing.addSpanProcessor(ProfilingCorrelation.correlate(processor)));
                  return tracing;
                })
            .build()
            .getOpenTelemetrySdk();
    profiler = FakeProfiler.of(socketDir);
    announceDelay(60_000);
  }

  /** Announces a samples delay. Returns after the plug-in has read the message. */
  private void announceDelay(int millis) {
    profiler.registration(millis, "");
    flush();
  }

  private void flush() {
    sdk.getSdkTracerProvider().forceFlush().join(1, TimeUnit.MINUTES);
  }

  private void endRoots(int count) {
    for (int i = 0; i < count; i++) {
      sdk.getTracer("test").spanBuilder("root").startSpan().end();
    }
  }

  private static void assertReceivedOnce(OtlpReceiver by, int roots) {
    assertThat(by.spans().stream().map(received -> received.span().getSpanId()))
        .hasSize(roots)
        .doesNotHaveDuplicates();
  }

  private static void awaitReceivedOnce(OtlpReceiver by, int roots) {
    await().atMost(LIMIT).until(() -> by.spans().size() >= roots);
    assertReceivedOnce(by, roots);
  }

  private static Stream<Consumer<OpenTelemetrySdk>> leaving() {
    return Stream.of(
        sdk -> sdk.getSdkTracerProvider().forceFlush().join(1, TimeUnit.MINUTES),
        sdk -> sdk.getSdkTracerProvider().shutdown().join(1, TimeUnit.MINUTES));
  }

  @ParameterizedTest
  @MethodSource("leaving")
  void waitingSpans_leavingAtOnce_allArrive(Consumer<OpenTelemetrySdk> leave) {
    start(List.of());
    endRoots(ROOTS);
    leave.accept(sdk);

    assertReceivedOnce(receiver, ROOTS);
  }

  @ParameterizedTest
  @MethodSource("leaving")
  void waitingSpans_slowReceiver_allArrive(Consumer<OpenTelemetrySdk> leave) {
    start(List.of());
    receiver.slow(5);
    endRoots(ROOTS);
    leave.accept(sdk);

    assertReceivedOnce(receiver, ROOTS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "16", "100"})
  void waitingSpans_smallQueue_allArrive(String size) {
    start(List.of(), "otel.bsp.max.queue.size", size);
    endRoots(500);
    flush();

    assertReceivedOnce(receiver, 500);
  }

  @ParameterizedTest
  @MethodSource("leaving")
  void waitingSpans_longQueue_allArrive(Consumer<OpenTelemetrySdk> leave) {
    start(List.of(), "otel.bsp.max.queue.size", "8200");
    endRoots(ROOTS);
    leave.accept(sdk);

    assertReceivedOnce(receiver, ROOTS);
  }

  @Test
  void waitingSpans_severalProcessors_allArriveAtEach() throws Exception {
    OtlpReceiver batches = receiver();
    OtlpReceiver single = receiver();
    start(
        List.of(
            BatchSpanProcessor.builder(exporterTo(batches)).build(),
            SimpleSpanProcessor.create(exporterTo(single))));
    endRoots(1_000);
    flush();

    assertReceivedOnce(receiver, 1_000);
    assertReceivedOnce(batches, 1_000);
    assertReceivedOnce(single, 1_000);
  }

  private static OtlpHttpSpanExporter exporterTo(OtlpReceiver receiver) {
    return OtlpHttpSpanExporter.builder().setEndpoint(receiver.endpoint() + "/v1/traces").build();
  }

  @Test
  void waitingSpans_simpleProcessorAndSlowReceiver_allArrive() throws Exception {
    OtlpReceiver single = receiver();
    single.slow(5);
    start(List.of(SimpleSpanProcessor.create(exporterTo(single))), "otel.traces.exporter", "none");
    endRoots(500);
    flush();

    assertReceivedOnce(single, 500);
  }

  @Test
  void waitingSpans_shorterDelay_leaveAfterIt() {
    start(List.of());
    endRoots(ROOTS);
    profiler.registration(100, "");

    awaitReceivedOnce(receiver, ROOTS);
  }

  @Test
  void spans_withManyIds_fitIntoRequestsOfFourMegabytes() {
    start(List.of());
    receiver.refuseAbove(4 << 20);
    List<Span> jobs = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      Span job = sdk.getTracer("test").spanBuilder("job").startSpan();
      profiler.correlation(job, 16_384);
      jobs.add(job);
    }
    jobs.forEach(Span::end);
    endRoots(200);
    flush();

    assertReceivedOnce(receiver, 212);
    assertThat(receiver.spans())
        .filteredOn(received -> received.span().getName().equals("job"))
        .allSatisfy(
            job ->
                assertThat(job.span().getAttributes(0).getValue().getArrayValue().getValuesList())
                    .hasSize(16_384));
  }
}

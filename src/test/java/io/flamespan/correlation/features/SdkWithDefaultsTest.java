/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import static io.flamespan.correlation.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.ProfilingCorrelation;
import io.flamespan.correlation.internal.wrapping.ForwardingSpanProcessor;
import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.DirectExporter;
import io.flamespan.testbed.harness.OtlpReceiver;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Promise: whatever load the SDK alone exports without loss, it exports without loss with the
 * plug-in. Nothing here is faster or larger than what users get: the SDK has its defaults, or less.
 */
class SdkWithDefaultsTest {
  // As many as may wait. The SDK's queue has 2,048.
  private static final int ROOTS = 8_096;

  @AutoClose private final OtlpReceiver first = new OtlpReceiver();
  @AutoClose private final OtlpReceiver second = new OtlpReceiver();
  private OtlpReceiver receiver;
  @AutoClose private CorrelatedSdk app;

  SdkWithDefaultsTest() throws IOException {}

  private void start(List<SpanProcessor> added, String... settings) {
    List<String> all = new ArrayList<>(List.of("otel.bsp.schedule.delay", "5s")); // the default
    all.addAll(List.of(settings));
    app =
        CorrelatedSdk.start(
            sdk ->
                sdk.addTracerProviderCustomizer(
                    (tracing, config) -> {
                      added.forEach(
                          each -> tracing.addSpanProcessor(ProfilingCorrelation.correlate(each)));
                      return tracing;
                    }),
            all.toArray(new String[0]));
    receiver = app.receiver();
    announceDelay(60_000);
  }

  /** Announces a samples delay. Returns after the plug-in has read the message. */
  private void announceDelay(int millis) {
    app.profiler().registration(millis, "");
    flush();
  }

  private void flush() {
    app.sdk().getSdkTracerProvider().forceFlush().join(1, TimeUnit.MINUTES);
  }

  private void endRoots(int count) {
    for (int i = 0; i < count; i++) {
      app.span("root").end();
    }
  }

  private static void assertReceivedOnce(OtlpReceiver by, int roots) {
    assertThat(by.spans().stream().map(received -> received.span().getSpanId()))
        .hasSize(roots)
        .doesNotHaveDuplicates();
  }

  private static void awaitReceivedOnce(OtlpReceiver by, int roots) {
    await().until(() -> by.spans().size() >= roots);
    assertReceivedOnce(by, roots);
  }

  @ParameterizedTest
  @CsvSource({
    "2048, 0, flush",
    "2048, 0, shutdown",
    "2048, 5, flush",
    "2048, 5, shutdown",
    "8200, 0, flush",
    "8200, 0, shutdown"
  })
  void waitingSpans_leavingAtOnce_allArrive(String queueSize, int slowMillis, String by) {
    start(List.of(), "otel.bsp.max.queue.size", queueSize);
    receiver.slow(slowMillis);
    endRoots(ROOTS);
    if (by.equals("flush")) {
      flush();
    } else {
      app.sdk().getSdkTracerProvider().shutdown().join(1, TimeUnit.MINUTES);
    }
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

  @Test
  void waitingSpans_severalProcessors_allArriveAtEach() {
    start(
        List.of(
            BatchSpanProcessor.builder(exporterTo(first)).build(),
            SimpleSpanProcessor.create(exporterTo(second))));
    endRoots(1_000);
    flush();

    assertReceivedOnce(receiver, 1_000);
    assertReceivedOnce(first, 1_000);
    assertReceivedOnce(second, 1_000);
  }

  private static OtlpHttpSpanExporter exporterTo(OtlpReceiver receiver) {
    return OtlpHttpSpanExporter.builder().setEndpoint(receiver.endpoint() + "/v1/traces").build();
  }

  @Test
  void waitingSpans_simpleProcessorAndSlowReceiver_allArrive() {
    second.slow(5);
    start(List.of(SimpleSpanProcessor.create(exporterTo(second))), "otel.traces.exporter", "none");
    endRoots(500);
    flush();

    assertReceivedOnce(second, 500);
  }

  @ParameterizedTest
  @ValueSource(strings = {"wrapped", "composite"})
  void waitingSpans_simpleProcessorThatNobodyCanRecognize_allArrive(String how) {
    SpanProcessor simple = SimpleSpanProcessor.create(exporterTo(second));
    SpanProcessor batch = BatchSpanProcessor.builder(exporterTo(first)).build();
    start(
        List.of(
            how.equals("wrapped") ? new Wrapper(simple) : SpanProcessor.composite(simple, batch)),
        "otel.traces.exporter",
        "none");
    endRoots(200);
    flush();

    assertReceivedOnce(second, 200);
    if (how.equals("composite")) {
      assertReceivedOnce(first, 200);
    }
  }

  private static final class Wrapper extends ForwardingSpanProcessor {
    private final SpanProcessor wrapped;

    Wrapper(SpanProcessor wrapped) {
      this.wrapped = wrapped;
    }

    @Override
    protected SpanProcessor target() {
      return wrapped;
    }
  }

  @Test
  void flushes_thatNobodyWaitsFor_doNotPileUp() {
    start(List.of());
    CompletableResultCode last = CompletableResultCode.ofSuccess();
    for (int i = 0; i < 3_000; i++) {
      app.span("root").end();
      last = app.sdk().getSdkTracerProvider().forceFlush();
    }
    assertThat(last.join(1, TimeUnit.MINUTES).isSuccess()).isTrue();
    assertReceivedOnce(receiver, 3_000);
  }

  @Test
  void stackTraces_anotherExporterHangs_areAllOnTheSpans() {
    CountDownLatch hangs = new CountDownLatch(1);
    SpanExporter hanging =
        new DirectExporter() {
          @Override
          public CompletableResultCode export(Collection<SpanData> spans) {
            try {
              hangs.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
            return CompletableResultCode.ofSuccess();
          }
        };
    start(
        List.of(
            BatchSpanProcessor.builder(hanging).build(),
            BatchSpanProcessor.builder(exporterTo(first))
                .setScheduleDelay(Duration.ofMillis(10))
                .build()),
        "otel.traces.exporter",
        "none",
        CorrelatedSdk.PREFIX + "buffer.size",
        "100");
    app.profiler().registration(100, "");
    try {
      for (int i = 1; i <= 800; i++) {
        Span root = app.span("root");
        app.profiler().correlation(root, 1);
        root.end();
        int received = i;
        if (i % 50 == 0) {
          await().until(() -> first.spans().size() >= received);
        }
      }
    } finally {
      hangs.countDown();
    }
    assertReceivedOnce(first, 800);
    assertThat(first.spans()).allMatch(received -> received.span().getAttributesCount() == 1);
  }

  @Test
  void waitingSpans_shorterDelay_leaveAfterIt() {
    start(List.of());
    endRoots(ROOTS);
    app.profiler().registration(100, "");

    awaitReceivedOnce(receiver, ROOTS);
  }

  @Test
  void spans_withManyIds_fitIntoRequestsOfFourMegabytes() {
    start(List.of());
    receiver.refuseAbove(4 << 20);
    List<Span> jobs = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      Span job = app.span("job");
      app.profiler().correlation(job, 16_384);
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

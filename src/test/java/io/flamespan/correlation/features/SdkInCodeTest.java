/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import static io.flamespan.correlation.testing.FakeProfiler.EXPORTED_STACK;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.ProfilingCorrelation;
import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.DecodedRecord;
import io.flamespan.correlation.testing.FakeProfiler;
import io.flamespan.correlation.testing.LogCapturer;
import io.flamespan.correlation.testing.RecordingMetricReader;
import io.flamespan.correlation.testing.RecordingSpanExporter;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SdkTracerProviderBuilder;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Promise: an SDK built in code has all features of an autoconfigured one. */
class SdkInCodeTest {
  private static final Resource RESOURCE =
      Resource.create(Attributes.of(AttributeKey.stringKey("service.name"), "in-code"));
  private static final String ENABLED = CorrelatedSdk.PREFIX + "enabled";

  @TempDir Path socketDir;
  private final RecordingSpanExporter exporter = new RecordingSpanExporter();

  @AfterEach
  void clearProperty() {
    System.clearProperty(ENABLED);
  }

  private ProfilingCorrelation correlation(String enabled) {
    return ProfilingCorrelation.builder(RESOURCE)
        .set(ENABLED, enabled)
        .set("flamespan.socket.dir", socketDir.toString())
        .start();
  }

  private SdkTracerProvider tracing(ProfilingCorrelation correlation) {
    SdkTracerProviderBuilder builder =
        SdkTracerProvider.builder()
            .setResource(RESOURCE)
            .addSpanProcessor(
                ProfilingCorrelation.correlate(
                    BatchSpanProcessor.builder(correlation.withHostId(exporter)).build()));
    return correlation.install(builder).build();
  }

  @Test
  void transaction_ofAnSdkInCode_hasStackTracesAndHost() throws Exception {
    SdkTracerProvider tracing = tracing(correlation("true"));
    Span root = tracing.get("test").spanBuilder("root").startSpan();
    try (FakeProfiler profiler = FakeProfiler.of(socketDir)) {
      try (Scope scope = root.makeCurrent()) {
        assertThat(DecodedRecord.ofCurrentThread().shows(root, root)).isTrue();
      }
      profiler.registration(60_000, "host-1");
      profiler.correlation(root, 2);
      root.end();
    } finally {
      tracing.shutdown().join(1, TimeUnit.MINUTES);
    }
    assertThat(exporter.stackTraceIds(root)).hasSize(2).containsOnly(EXPORTED_STACK);
    assertThat(
            exporter
                .exported(root)
                .get(0)
                .getResource()
                .getAttribute(AttributeKey.stringKey("host.id")))
        .isEqualTo("host-1");
    assertThat(FakeProfiler.sockets(socketDir)).isEmpty();
  }

  @Test
  void disabled_whateverIsGiven_isReturnedAsItIs() throws Exception {
    ProfilingCorrelation correlation = correlation("false");
    SdkTracerProviderBuilder tracing = SdkTracerProvider.builder();

    assertThat(correlation.withHostId((SpanExporter) exporter)).isSameAs(exporter);
    assertThat(correlation.install(tracing)).isSameAs(tracing);
    assertThat(FakeProfiler.sockets(socketDir)).isEmpty();
  }

  @Test
  void wrongValues_inCode_areReported() {
    String keys = IntStream.range(0, 256).mapToObj(i -> "key" + i).collect(joining(","));
    try (LogCapturer logs = new LogCapturer()) {
      ProfilingCorrelation.builder(RESOURCE)
          .setMode(ProfilingCorrelation.Mode.DISABLED)
          .set("flamespan.thread.context.schema.version", "tls v1")
          .set("flamespan.thread.context.attributes", keys)
          .set("flamespan.samples.metric.attributes", "http.route")
          .set("flamespan.sample.period", "1s")
          .start();

      assertThat(logs.warnings())
          .satisfiesExactlyInAnyOrder(
              w -> assertThat(w).contains("'tls v1'", "thread.context.schema.version"),
              w -> assertThat(w).contains("key0,key1,", "thread.context.attributes"),
              w -> assertThat(w).contains("flamespan.sample.period"));
    }
  }

  @Test
  void install_thatFails_throwsNothingAndStopsThePlugin() throws Exception {
    ProfilingCorrelation correlation = correlation("true");
    try (LogCapturer logs = new LogCapturer()) {
      assertThat(correlation.install((SdkTracerProviderBuilder) null)).isNull();
      assertThat(logs.warnings()).singleElement().asString().contains("Flamespan is off");
    }
    correlation.close();
    assertThat(FakeProfiler.sockets(socketDir)).isEmpty();
  }

  @Test
  void systemProperty_withASettingInCode_takesPrecedence() throws Exception {
    System.setProperty(ENABLED, "false");
    tracing(correlation("true")).shutdown();

    assertThat(FakeProfiler.sockets(socketDir)).isEmpty();
  }

  @Test
  void install_meterProvider_exportsCounts() {
    ProfilingCorrelation correlation = correlation("true");
    SdkTracerProvider tracing = tracing(correlation);
    RecordingMetricReader reader = new RecordingMetricReader();
    SdkMeterProvider metering =
        correlation.install(SdkMeterProvider.builder().registerMetricReader(reader)).build();
    try {
      assertThat(reader.collect())
          .extracting(metric -> metric.getName())
          .contains("profiling.correlation.messages");
    } finally {
      metering.close();
      tracing.close();
    }
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.elastic.ElasticKafkaHeader;
import io.flamespan.elastic.internal.settings.ElasticSettings;
import io.flamespan.elastic.testing.LogCapturer;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.logs.data.LogRecordData;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Promise: traces pass through and start here, but nothing is recorded or sent. */
class ContextPropagationOnlyTest {
  private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
  private static final String PARENT = "b7ad6b7169203331";
  private static final String NOT_SAMPLED = ".*-0[02]"; // 2 is the flag of random ids
  private static final Map<String, String> ON =
      Map.of(ElasticSettings.CONTEXT_PROPAGATION_ONLY, "true");

  private final LogCapturer logs = new LogCapturer();

  @AfterEach
  void stopCapturing() {
    logs.close();
  }

  @ParameterizedTest
  @CsvSource({"01, 01", "00, 00"})
  void trace_fromAnotherService_continuesWithItsFlagsAndState(String flags, String sent) {
    try (OpenTelemetrySdk sdk = sdk(ON)) {
      Context remote =
          extract(sdk, Map.of("traceparent", traceparent(PARENT, flags), "tracestate", "a=1,b=2"));
      Span span = span(sdk, remote);
      Span child = span(sdk, remote.with(span));

      assertThat(span.isRecording() || child.isRecording()).isFalse();
      assertThat(span.getSpanContext().getTraceId()).isEqualTo(TRACE);
      assertThat(inject(sdk, remote.with(span)))
          .containsOnly(
              Map.entry("traceparent", traceparent(span.getSpanContext().getSpanId(), sent)),
              Map.entry("tracestate", "a=1,b=2"));
      assertThat(inject(sdk, remote.with(span).with(child)).get("traceparent"))
          .isEqualTo(traceparent(child.getSpanContext().getSpanId(), sent));
    }
    assertThat(logs.warnings()).isEmpty();
  }

  /** Applications may make the span current without the extracted context. */
  @Test
  void trace_fromAnotherService_continuesInTheContextOfTheSpanAlone() {
    try (OpenTelemetrySdk sdk = sdk(ON)) {
      Span span = span(sdk, extract(sdk, Map.of("traceparent", traceparent(PARENT, "01"))));
      Span child = span(sdk, Context.root().with(span));

      for (Span current : new Span[] {span, child}) {
        Context context = Context.root().with(current);
        assertThat(inject(sdk, context))
            .containsOnly(
                Map.entry("traceparent", traceparent(current.getSpanContext().getSpanId(), "01")));
        assertThat(ElasticKafkaHeader.write(context)).endsWith(2, 1);
      }
    }
  }

  @Test
  void trace_fromAKafkaRecord_continuesWithItsFlag() {
    try (OpenTelemetrySdk sdk = sdk(ON)) {
      Context sender = extract(sdk, Map.of("traceparent", traceparent(PARENT, "01")));
      Context receiver =
          ElasticKafkaHeader.read(
              Context.root(),
              Map.of(ElasticKafkaHeader.NAME, ElasticKafkaHeader.write(sender))::get);
      Span span = span(sdk, receiver);

      assertThat(inject(sdk, Context.root().with(span)).get("traceparent"))
          .isEqualTo(traceparent(span.getSpanContext().getSpanId(), "01"));
    }
  }

  @Test
  void trace_startedHere_hasIdsForLogsAndOtherServices() {
    try (OpenTelemetrySdk sdk = sdk(ON)) {
      Span span = span(sdk, Context.root());

      assertThat(span.getSpanContext().isValid()).isTrue();
      assertThat(span.isRecording()).isFalse();
      assertThat(inject(sdk, Context.root().with(span)).get("traceparent"))
          .startsWith("00-" + span.getSpanContext().getTraceId())
          .contains(span.getSpanContext().getSpanId())
          .matches(NOT_SAMPLED);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void logRecord_withinASpan_hasItsIds(boolean received) {
    List<LogRecordData> records = new CopyOnWriteArrayList<>();
    try (OpenTelemetrySdk sdk = sdk(ON, records)) {
      Context parent =
          received
              ? extract(sdk, Map.of("traceparent", traceparent(PARENT, "01")))
              : Context.root();
      Span span = span(sdk, parent);
      try (Scope scope = parent.with(span).makeCurrent()) {
        sdk.getLogsBridge().get("test").logRecordBuilder().setBody("inside").emit();
      }
      assertThat(records)
          .extracting(LogRecordData::getSpanContext)
          .containsOnly(span.getSpanContext());
      assertThat(span.getSpanContext().isValid()).isTrue();
    }
  }

  @Test
  void trace_startedWhileARemoteOneIsCurrent_hasNoneOfItsFlags() {
    try (OpenTelemetrySdk sdk = sdk(ON)) {
      Context remote = extract(sdk, Map.of("traceparent", traceparent(PARENT, "01")));
      Span other = sdk.getTracer("test").spanBuilder("span").setNoParent().startSpan();

      assertThat(inject(sdk, remote.with(other)).get("traceparent")).matches(NOT_SAMPLED);
    }
  }

  /** An unrecorded span has the same class as in the SDK alone, so it costs the same. */
  @Test
  void span_ofAnSdkThatDropsAll_hasTheSameClass() {
    try (OpenTelemetrySdk sdk = sdk(ON);
        OpenTelemetrySdk dropping = sdk(Map.of("otel.traces.sampler", "always_off"))) {
      assertThat(span(sdk, Context.root())).hasSameClassAs(span(dropping, Context.root()));
    }
  }

  @Test
  void allSignals_ofAnSdkThatWouldSend_areNotSent() {
    try (HttpOtlpServer server = new HttpOtlpServer("127.0.0.2")) {
      try (OpenTelemetrySdk sdk =
          sdk(
              Map.of(
                  ElasticSettings.CONTEXT_PROPAGATION_ONLY,
                  " TRUE ",
                  "otel.exporter.otlp.endpoint",
                  server.url(),
                  "otel.exporter.otlp.protocol",
                  "http/protobuf",
                  "otel.traces.sampler",
                  "always_on"))) {
        Span span = span(sdk, Context.root());
        assertThat(span.getSpanContext().isValid()).isTrue();
        span.end();
        sdk.getMeter("test").counterBuilder("a.counter").build().add(1);
        sdk.getLogsBridge().get("test").logRecordBuilder().setBody("a log record").emit();
        sdk.getSdkTracerProvider().forceFlush().join(1, TimeUnit.MINUTES);
        sdk.getSdkMeterProvider().forceFlush().join(1, TimeUnit.MINUTES);
        sdk.getSdkLoggerProvider().forceFlush().join(1, TimeUnit.MINUTES);
      }

      assertThat(server.connections()).isZero();
    }
    assertThat(logs.warnings()).isEmpty();
  }

  @Test
  void sampleRate_ofATraceStartedHere_isZero() {
    try (OpenTelemetrySdk sdk =
        sdk(
            Map.of(
                ElasticSettings.CONTEXT_PROPAGATION_ONLY,
                "true",
                ElasticSettings.SAMPLE_RATE_ENABLED,
                "true"))) {
      assertThat(inject(sdk, Context.root().with(span(sdk, Context.root()))).get("tracestate"))
          .isEqualTo("es=s:0");
    }
    assertThat(logs.warnings()).isEmpty();
  }

  private static String traceparent(String spanId, String flags) {
    return "00-" + TRACE + "-" + spanId + "-" + flags;
  }

  private static Span span(OpenTelemetrySdk sdk, Context parent) {
    return sdk.getTracer("test").spanBuilder("span").setParent(parent).startSpan();
  }

  private static Map<String, String> inject(OpenTelemetrySdk sdk, Context context) {
    Map<String, String> headers = new TreeMap<>();
    sdk.getPropagators().getTextMapPropagator().inject(context, headers, Map::put);
    return headers;
  }

  private static Context extract(OpenTelemetrySdk sdk, Map<String, String> headers) {
    return sdk.getPropagators()
        .getTextMapPropagator()
        .extract(
            Context.root(),
            headers,
            new TextMapGetter<>() {
              @Override
              @SuppressWarnings("deprecation") // The oldest supported API has no other method.
              public Iterable<String> keys(Map<String, String> carrier) {
                return carrier.keySet();
              }

              @Override
              public String get(Map<String, String> carrier, String key) {
                return carrier.get(key);
              }
            });
  }

  private static OpenTelemetrySdk sdk(Map<String, String> settings) {
    return sdk(settings, new ArrayList<>());
  }

  private static OpenTelemetrySdk sdk(Map<String, String> settings, List<LogRecordData> records) {
    Map<String, String> properties = new HashMap<>();
    properties.putAll(settings);
    return AutoConfiguredOpenTelemetrySdk.builder()
        .disableShutdownHook()
        .addPropertiesSupplier(() -> properties)
        .addLoggerProviderCustomizer(
            (logging, unused) ->
                logging.addLogRecordProcessor(
                    (context, record) -> records.add(record.toLogRecordData())))
        .build()
        .getOpenTelemetrySdk();
  }
}

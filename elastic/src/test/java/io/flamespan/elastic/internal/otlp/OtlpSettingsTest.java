/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.elastic.internal.settings.ElasticSettings;
import io.flamespan.elastic.testing.LogCapturer;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdkBuilder;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Promise: each setting applies to all signals as documented, and nothing is on without settings.
 */
class OtlpSettingsTest {
  private static final String AGENT =
      "flamespan/\\d[\\w.-]+ \\(checkout 1\\.2\\) OTel-OTLP-Exporter-Java/[\\d.]+";

  private final LogCapturer logs = new LogCapturer();

  @AfterEach
  void stopCapturing() {
    logs.close();
  }

  private static OtlpServer server(String protocol, String host) {
    return protocol.equals("grpc") ? new GrpcOtlpServer(host) : new HttpOtlpServer(host);
  }

  @ParameterizedTest
  @ValueSource(strings = {"http/protobuf", "grpc"})
  void everything_withoutSettings_isOff(String protocol) {
    try (OtlpServer server = server(protocol, "127.0.0.2")) {
      sendAll(Map.of("otel.exporter.otlp.endpoint", server.url()), protocol);

      assertThat(server.received()).isNotEmpty();
      assertThat(server.received())
          .allSatisfy(
              export -> {
                assertThat(export.headers().get("user-agent"))
                    .startsWith("OTel-OTLP-Exporter-Java/");
                assertThat(isCompressed(export)).isFalse();
              });
    }
    assertThat(logs.warnings()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "http/protobuf, 127.0.0.2, true",
    "http/protobuf, 127.0.0.1, false",
    "grpc, 127.0.0.2, true",
    "grpc, 127.0.0.1, false",
  })
  void userAgentAndGzip_ofEachSignal_areOnTheWire(String protocol, String host, boolean gzip) {
    try (OtlpServer server = server(protocol, host)) {
      sendAll(
          Map.of(
              "otel.exporter.otlp.endpoint",
              server.url(),
              ElasticSettings.USER_AGENT_ENABLED,
              "true",
              ElasticSettings.GZIP_ENABLED,
              "true"),
          protocol);

      assertThat(server.names()).contains("a span", "a.counter", "a log record");
      assertThat(server.received())
          .allSatisfy(
              export -> {
                assertThat(export.headers().get("user-agent")).matches(AGENT);
                assertThat(isCompressed(export)).isEqualTo(gzip);
              });
    }
    assertThat(logs.warnings()).isEmpty();
  }

  @Test
  void inferredAttributes_whenTheExporterIsReplaced_areOnTheWire() {
    try (HttpOtlpServer server = new HttpOtlpServer("127.0.0.2")) {
      sendAll(
          Map.of(
              "otel.exporter.otlp.endpoint",
              server.url(),
              ElasticSettings.USER_AGENT_ENABLED,
              "true",
              ElasticSettings.SPAN_INFERENCE_ENABLED,
              "true"),
          "http/protobuf");

      assertThat(server.received())
          .filteredOn(export -> export.names().contains("a span"))
          .singleElement()
          .satisfies(
              export -> {
                assertThat(export.headers().get("user-agent")).matches(AGENT);
                assertThat(new String(export.body(), StandardCharsets.ISO_8859_1))
                    .containsOnlyOnce("processor.event");
              });
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"http/protobuf", "grpc"})
  void endpoints_withAllOtherSettings_reachTheRunningServer(String protocol) {
    try (OtlpServer gone = new RefusingPort("127.0.0.2");
        OtlpServer server = server(protocol, "127.0.0.2")) {
      sendAll(
          Map.of(
              ElasticSettings.ENDPOINTS,
              " " + gone.url() + "/ , " + server.url() + ",",
              ElasticSettings.USER_AGENT_ENABLED,
              "true",
              ElasticSettings.GZIP_ENABLED,
              "true"),
          protocol);

      assertThat(server.names()).containsOnlyOnce("a span", "a log record").contains("a.counter");
      assertThat(server.received())
          .allSatisfy(
              export -> {
                assertThat(export.headers().get("user-agent")).matches(AGENT);
                assertThat(isCompressed(export)).isTrue();
              });
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {ElasticSettings.ENDPOINTS, "otel.exporter.otlp.endpoint"})
  void gzip_ofAUrlInUpperCase_isOnTheWire(String property) {
    try (HttpOtlpServer server = new HttpOtlpServer("127.0.0.2")) {
      String url = server.url().toUpperCase(Locale.ROOT);
      sendAll(Map.of(property, url, ElasticSettings.GZIP_ENABLED, "true"), "http/protobuf");

      assertThat(server.names()).contains("a span", "a.counter", "a log record");
      assertThat(server.received()).allMatch(OtlpSettingsTest::isCompressed);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "http/protobuf, otel.exporter.otlp.headers, User-Agent=my%20agent",
    "http/protobuf, otel.exporter.otlp.headers, 'x=1,user-agent=my%20agent'",
    "http/protobuf, otel.exporter.otlp.traces.headers, USER-AGENT=my%20agent",
    "grpc, otel.exporter.otlp.headers, User-Agent=my%20agent",
    "grpc, otel.exporter.otlp.traces.headers, user-agent=my%20agent",
  })
  void userAgent_ofTheUser_isKeptWhenExportersAreRebuilt(
      String protocol, String property, String headers) {
    try (OtlpServer server = server(protocol, "127.0.0.2")) {
      sendAll(Map.of(ElasticSettings.ENDPOINTS, server.url(), property, headers), protocol);

      assertThat(server.received())
          .filteredOn(export -> export.path().toLowerCase(Locale.ROOT).contains("trace"))
          .isNotEmpty()
          .allSatisfy(
              export -> assertThat(export.headers().get("user-agent")).startsWith("my agent"));
    }
  }

  @Test
  void userAgentAndGzip_setByTheUser_areKept() {
    try (HttpOtlpServer server = new HttpOtlpServer("127.0.0.2")) {
      sendAll(
          Map.of(
              "otel.exporter.otlp.endpoint",
              server.url(),
              "otel.exporter.otlp.traces.headers",
              "x=1, USER-agent=mine",
              "otel.exporter.otlp.traces.compression",
              "none",
              ElasticSettings.USER_AGENT_ENABLED,
              "true",
              ElasticSettings.GZIP_ENABLED,
              "true"),
          "http/protobuf");

      assertThat(server.received())
          .filteredOn(export -> export.path().equals("/v1/traces"))
          .isNotEmpty()
          .allSatisfy(
              export -> {
                assertThat(export.headers().get("user-agent")).contains("mine");
                assertThat(export.headers().get("user-agent")).doesNotContain("correlation");
                assertThat(isCompressed(export)).isFalse();
              });
      assertThat(server.received())
          .filteredOn(export -> export.path().equals("/v1/logs"))
          .isNotEmpty()
          .allSatisfy(export -> assertThat(isCompressed(export)).isTrue());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"http/protobuf", "grpc"})
  void disableSend_withAServer_neverConnectsOrLogs(String protocol) {
    try (HttpOtlpServer server = new HttpOtlpServer("127.0.0.2")) {
      Map<String, String> settings =
          Map.of(
              "otel.exporter.otlp.endpoint",
              server.url(),
              ElasticSettings.DISABLE_SEND,
              "true",
              ElasticSettings.ENDPOINTS,
              server.url());
      try (OpenTelemetrySdk sdk = sdk(settings, protocol, builder -> {})) {
        Span span = sdk.getTracer("test").spanBuilder("a span").startSpan();
        assertThat(span.isRecording()).isTrue();
        assertThat(span.getSpanContext().isSampled()).isTrue();
        span.end();
        emitMetricAndLog(sdk);
        flush(sdk);
      }

      assertThat(server.connections()).isZero();
    }
    assertThat(logs.warnings()).isEmpty();
  }

  @Test
  void disableSend_withAnotherExporter_keepsThatOne() {
    try (OpenTelemetrySdk sdk =
        sdk(
            Map.of(ElasticSettings.DISABLE_SEND, "true", "otel.traces.exporter", "otlp,logging"),
            "grpc",
            builder -> {})) {
      assertThat(sdk.toString()).contains("LoggingSpanExporter", "Discarding{spans}");
    }
    assertThat(logs.warnings()).isEmpty();
  }

  @Test
  void disableSend_exporterWrappedByAnotherCustomizer_isNamedInOneLine() {
    SpanExporter other = InMemorySpanExporter.create();
    sdk(
            Map.of(ElasticSettings.DISABLE_SEND, "true"),
            "grpc",
            builder ->
                builder.addSpanExporterCustomizer(
                    (exporter, properties) -> SpanExporter.composite(exporter, other)))
        .close();

    assertThat(logs.warnings()).singleElement().asString().contains("spans", "MultiSpanExporter");
  }

  @ParameterizedTest
  @CsvSource({
    "elastic.otel.transport.endpoints, http://h:1;ftp://h:1, 'ftp://h:1'",
    "elastic.otel.transport.endpoints, http://h:1;http://ann:s3cret;@h:1, number 2",
    "elastic.otel.transport.endpoints, checkout:8200, checkout:8200",
    "elastic.otel.transport.endpoints, http://h:99999, http://h:99999",
    "elastic.otel.transport.endpoints, http://h:1;http://h:2?token=s3cret, number 2",
    "elastic.otel.transport.endpoints, http://h:1#s3cret, number 1",
    "elastic.otel.transport.buffer.size, 0, 0",
    "elastic.otel.transport.buffer.size, many, many",
    "elastic.otel.transport.user.agent.enabled, yes, yes",
    "elastic.otel.transport.gzip.enabled, 1, 1",
    "elastic.otel.transport.disable.send, on, on",
    "elastic.otel.transport.context.propagation.only, on, on",
  })
  void setting_wrongValue_logsOneLineAndSpansAreExported(
      String property, String value, String shown) {
    try (HttpOtlpServer server = new HttpOtlpServer("127.0.0.2")) {
      sendAll(
          Map.of("otel.exporter.otlp.endpoint", server.url(), property, value.replace(';', ',')),
          "http/protobuf");

      assertThat(server.names()).contains("a span", "a.counter", "a log record");
    }
    assertThat(logs.warnings())
        .singleElement()
        .asString()
        .contains(shown, property, "Set the property to")
        .doesNotContain("s3cret");
  }

  @Test
  void contextPropagationOnly_wrongValueWhileSendingIsDisabled_logsOneLine() {
    sdk(
            Map.of(
                ElasticSettings.DISABLE_SEND, "true",
                ElasticSettings.CONTEXT_PROPAGATION_ONLY, "on"),
            "http/protobuf",
            builder -> {})
        .close();

    assertThat(logs.warnings())
        .singleElement()
        .asString()
        .contains(ElasticSettings.CONTEXT_PROPAGATION_ONLY);
  }

  private static boolean isCompressed(ReceivedExport export) {
    return "gzip".equals(export.headers().get("content-encoding"))
        || "gzip".equals(export.headers().get("grpc-encoding"));
  }

  private static void sendAll(Map<String, String> settings, String protocol) {
    try (OpenTelemetrySdk sdk = sdk(settings, protocol, builder -> {})) {
      sdk.getTracer("test").spanBuilder("a span").startSpan().end();
      emitMetricAndLog(sdk);
      flush(sdk);
    }
  }

  private static void emitMetricAndLog(OpenTelemetrySdk sdk) {
    sdk.getMeter("test").counterBuilder("a.counter").build().add(1);
    sdk.getLogsBridge().get("test").logRecordBuilder().setBody("a log record").emit();
  }

  private static void flush(OpenTelemetrySdk sdk) {
    List.of(
            sdk.getSdkTracerProvider().forceFlush(),
            sdk.getSdkMeterProvider().forceFlush(),
            sdk.getSdkLoggerProvider().forceFlush())
        .forEach(result -> assertThat(result.join(1, TimeUnit.MINUTES).isSuccess()).isTrue());
  }

  private static OpenTelemetrySdk sdk(
      Map<String, String> settings,
      String protocol,
      Consumer<AutoConfiguredOpenTelemetrySdkBuilder> customizer) {
    Map<String, String> properties = new HashMap<>(settings);
    properties.put("otel.exporter.otlp.protocol", protocol);
    properties.put("otel.resource.attributes", "service.name=checkout,service.version=1.2");
    // One export each, at the flush.
    properties.put("otel.metric.export.interval", "3600000");
    AutoConfiguredOpenTelemetrySdkBuilder builder =
        AutoConfiguredOpenTelemetrySdk.builder()
            .disableShutdownHook()
            .addPropertiesSupplier(() -> properties);
    customizer.accept(builder);
    return builder.build().getOpenTelemetrySdk();
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.inference;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.elastic.internal.settings.ElasticSettings;
import io.flamespan.elastic.testing.LogCapturer;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.semconv.DbAttributes;
import io.opentelemetry.semconv.HttpAttributes;
import io.opentelemetry.semconv.ServerAttributes;
import io.opentelemetry.semconv.UrlAttributes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Promise: spans get the inferred attributes exactly once, and only if the setting asks for it. */
class InferredAttributesTest {
  private final LogCapturer logs = new LogCapturer();
  private final InMemorySpanExporter exported = InMemorySpanExporter.create();

  @AfterEach
  void stopCapturing() {
    logs.close();
  }

  private OpenTelemetrySdk sdk(String setting, String exporters) {
    Map<String, String> properties = new HashMap<>();
    properties.put(ElasticSettings.SPAN_INFERENCE_ENABLED, setting);
    properties.put("otel.traces.exporter", exporters);
    properties.put("otel.metrics.exporter", "none");
    properties.put("otel.logs.exporter", "none");
    return AutoConfiguredOpenTelemetrySdk.builder()
        .disableShutdownHook()
        .addPropertiesSupplier(() -> properties)
        .addSpanExporterCustomizer(
            (exporter, unused) -> exporter.toString().startsWith("Logging") ? exported : exporter)
        .build()
        .getOpenTelemetrySdk();
  }

  /** The attributes of the spans of a request that queries a database, by the spans' names. */
  private Map<String, Map<String, Object>> serveARequest(OpenTelemetrySdk sdk) {
    Span server = start(sdk, "server", SpanKind.SERVER, Context.root());
    server.setAttribute(UrlAttributes.URL_SCHEME, "https").setStatus(StatusCode.OK);
    Context serving = Context.root().with(server);
    Span database = start(sdk, "database", SpanKind.CLIENT, serving);
    database.setAttribute(DbAttributes.DB_SYSTEM_NAME, "postgresql");
    database.setAttribute(DbAttributes.DB_NAMESPACE, "shop").setStatus(StatusCode.ERROR);
    database.end();
    Span client = start(sdk, "client", SpanKind.CLIENT, serving);
    client.setAttribute(HttpAttributes.HTTP_REQUEST_METHOD, "GET");
    client.setAttribute(UrlAttributes.URL_FULL, "https://payment.example:8443/pay?card=1");
    client.setAttribute(ServerAttributes.SERVER_ADDRESS, "payment.example");
    client.setAttribute(ServerAttributes.SERVER_PORT, 8443L);
    client.end();
    server.end();
    assertThat(sdk.getSdkTracerProvider().forceFlush().join(1, TimeUnit.MINUTES).isSuccess())
        .isTrue();
    List<SpanData> spans = exported.getFinishedSpanItems();
    assertThat(spans)
        .extracting(SpanData::getName)
        .containsExactlyInAnyOrder("server", "database", "client");
    Map<String, Map<String, Object>> attributes = new HashMap<>();
    spans.forEach(span -> attributes.put(span.getName(), EndedSpan.attributes(span)));
    return attributes;
  }

  private static Span start(OpenTelemetrySdk sdk, String name, SpanKind kind, Context parent) {
    return sdk.getTracer("test").spanBuilder(name).setSpanKind(kind).setParent(parent).startSpan();
  }

  @Test
  void spans_ofARequest_arriveOnceWithTheirAttributes() {
    try (OpenTelemetrySdk sdk = sdk("true", "logging")) {
      Map<String, Map<String, Object>> spans = serveARequest(sdk);

      assertThat(spans.get("server"))
          .containsOnly(
              Map.entry("url.scheme", "https"),
              Map.entry("otel.span_kind", "SERVER"),
              Map.entry("processor.event", "transaction"),
              Map.entry("transaction.type", "request"),
              Map.entry("event.outcome", "success"));
      assertThat(spans.get("database"))
          .containsOnly(
              Map.entry("db.system.name", "postgresql"),
              Map.entry("db.namespace", "shop"),
              Map.entry("otel.span_kind", "CLIENT"),
              Map.entry("processor.event", "span"),
              Map.entry("span.type", "db"),
              Map.entry("span.subtype", "postgresql"),
              Map.entry("service.target.type", "postgresql"),
              Map.entry("service.target.name", "shop"),
              Map.entry("span.destination.service.resource", "postgresql/shop"),
              Map.entry("event.outcome", "failure"));
      assertThat(spans.get("client"))
          .containsEntry("span.type", "external")
          .containsEntry("span.subtype", "http")
          .containsEntry("service.target.type", "http")
          .containsEntry("service.target.name", "payment.example:8443")
          .containsEntry("span.destination.service.resource", "payment.example:8443")
          .containsEntry("event.outcome", "unknown")
          .hasSize(12);
    }
    assertThat(logs.warnings()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "false", " FALSE "})
  void spans_withoutTheSetting_areAsBefore(String value) {
    try (OpenTelemetrySdk sdk = sdk(value, "logging")) {
      assertNothingInferred(sdk);
    }
    assertThat(logs.warnings()).isEmpty();
  }

  @Test
  void wrongValue_withTwoExporters_isOneLine() {
    try (OpenTelemetrySdk sdk = sdk("yes", "logging,otlp")) {
      assertThat(sdk.toString()).doesNotContain("InferringSpanExporter");
    }
    assertThat(logs.warnings())
        .singleElement()
        .asString()
        .contains("'yes'", ElasticSettings.SPAN_INFERENCE_ENABLED, "true or false");
  }

  private void assertNothingInferred(OpenTelemetrySdk sdk) {
    assertThat(sdk.toString()).doesNotContain("InferringSpanExporter");
    Map<String, Map<String, Object>> spans = serveARequest(sdk);
    assertThat(spans.get("server")).containsOnlyKeys("url.scheme");
    assertThat(spans.get("database")).containsOnlyKeys("db.system.name", "db.namespace");
  }
}

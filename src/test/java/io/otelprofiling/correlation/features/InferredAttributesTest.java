/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.features;

import static io.otelprofiling.correlation.testing.FakeProfiler.EXPORTED_STACK;
import static io.otelprofiling.correlation.testing.FakeProfiler.STACK;
import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Context;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.DelegatingSpanData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.opentelemetry.semconv.DbAttributes;
import io.opentelemetry.semconv.HttpAttributes;
import io.opentelemetry.semconv.ServerAttributes;
import io.opentelemetry.semconv.UrlAttributes;
import io.otelprofiling.correlation.testing.CorrelatedSdk;
import io.otelprofiling.correlation.testing.FakeProfiler;
import io.otelprofiling.correlation.testing.LogCapturer;
import io.otelprofiling.elastic.internal.settings.ElasticSettings;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Promise: spans get the inferred attributes exactly once, and only if the setting asks for it. */
class InferredAttributesTest {
  private static final String[] ON = {ElasticSettings.SPAN_INFERENCE_ENABLED, "true"};
  private static final String STACK_TRACE_IDS = "elastic.profiler_stack_trace_ids";

  private final LogCapturer logs = new LogCapturer();

  @AfterEach
  void stopCapturing() {
    logs.close();
  }

  /** The spans of a request that queries a database, with one sample. */
  private record Request(Span server, Span database, Span client) {
    static Request servedBy(CorrelatedSdk app) {
      try (FakeProfiler profiler = app.profiler()) {
        profiler.registration(60_000, "");
        Span server = start(app, SpanKind.SERVER, Context.root());
        server.setAttribute(UrlAttributes.URL_SCHEME, "https").setStatus(StatusCode.OK);
        Context serving = Context.root().with(server);
        Span database = start(app, SpanKind.CLIENT, serving);
        database.setAttribute(DbAttributes.DB_SYSTEM_NAME, "postgresql");
        database.setAttribute(DbAttributes.DB_NAMESPACE, "shop").setStatus(StatusCode.ERROR);
        database.end();
        Span client = start(app, SpanKind.CLIENT, serving);
        client.setAttribute(HttpAttributes.HTTP_REQUEST_METHOD, "GET");
        client.setAttribute(UrlAttributes.URL_FULL, "https://payment.example:8443/pay?card=1");
        client.setAttribute(ServerAttributes.SERVER_ADDRESS, "payment.example");
        client.setAttribute(ServerAttributes.SERVER_PORT, 8443L);
        client.end();
        server.end();
        SpanContext sampled = server.getSpanContext();
        profiler.correlation(sampled.getTraceId(), sampled.getSpanId(), STACK, 1);
        // After a shutdown no export is still running, unlike after a flush.
        assertThat(
                app.sdk().getSdkTracerProvider().shutdown().join(30, TimeUnit.SECONDS).isSuccess())
            .isTrue();
        return new Request(server, database, client);
      }
    }

    private static Span start(CorrelatedSdk app, SpanKind kind, Context parent) {
      return app.tracer().spanBuilder("span").setSpanKind(kind).setParent(parent).startSpan();
    }
  }

  private static Map<String, String> received(CorrelatedSdk app, Span span) {
    var received = app.awaitReceived(span).span();
    assertThat(received.getDroppedAttributesCount()).isZero();
    Map<String, String> attributes = new HashMap<>();
    for (KeyValue attribute : received.getAttributesList()) {
      String value =
          attribute.getValue().hasArrayValue()
              ? attribute.getValue().getArrayValue().getValues(0).getStringValue()
              : attribute.getValue().getStringValue();
      assertThat(attributes.put(attribute.getKey(), value)).isNull();
    }
    return attributes;
  }

  @Test
  void spans_ofARequest_arriveOnceWithTheirAttributes() {
    try (CorrelatedSdk app = CorrelatedSdk.start(ON)) {
      Request request = Request.servedBy(app);

      assertThat(received(app, request.server))
          .containsOnly(
              Map.entry(STACK_TRACE_IDS, EXPORTED_STACK),
              Map.entry("url.scheme", "https"),
              Map.entry("otel.span_kind", "SERVER"),
              Map.entry("processor.event", "transaction"),
              Map.entry("transaction.type", "request"),
              Map.entry("event.outcome", "success"));
      assertThat(received(app, request.database))
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
      assertThat(received(app, request.client))
          .containsEntry("span.type", "external")
          .containsEntry("span.subtype", "http")
          .containsEntry("service.target.type", "http")
          .containsEntry("service.target.name", "payment.example:8443")
          .containsEntry("span.destination.service.resource", "payment.example:8443")
          .containsEntry("event.outcome", "unknown")
          .hasSize(12);
      assertThat(app.receiver().spans()).hasSize(3);
    }
    assertThat(logs.warnings()).isEmpty();
  }

  @Test
  void spans_whenTheTransportReplacedTheExporter_arriveWithTheirAttributes() {
    try (CorrelatedSdk app =
        CorrelatedSdk.start(ON[0], ON[1], ElasticSettings.USER_AGENT_ENABLED, "true")) {
      Request request = Request.servedBy(app);

      for (Span span : List.of(request.server, request.database, request.client)) {
        assertThat(received(app, span)).containsKeys("processor.event", "event.outcome");
      }
      assertThat(app.receiver().spans()).hasSize(3);
    }
  }

  @Test
  void spans_withoutThePlugin_arriveWithTheirAttributes() {
    try (CorrelatedSdk app =
        CorrelatedSdk.start(ON[0], ON[1], CorrelatedSdk.PREFIX + "enabled", "false")) {
      Span span = app.tracer().spanBuilder("span").startSpan();
      span.end();
      app.flush();

      assertThat(received(app, span))
          .containsOnly(
              Map.entry("otel.span_kind", "INTERNAL"),
              Map.entry("processor.event", "transaction"),
              Map.entry("transaction.type", "unknown"),
              Map.entry("event.outcome", "unknown"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "false", " FALSE "})
  void spans_withoutTheSetting_areAsBefore(String value) {
    try (CorrelatedSdk app = CorrelatedSdk.start(ElasticSettings.SPAN_INFERENCE_ENABLED, value)) {
      assertNothingInferred(app);
    }
    assertThat(logs.warnings()).isEmpty();
  }

  @Test
  void wrongValue_withTwoExporters_isOneLine() {
    try (CorrelatedSdk app =
        CorrelatedSdk.start(
            ElasticSettings.SPAN_INFERENCE_ENABLED,
            "yes",
            "otel.traces.exporter",
            "otlp,logging")) {
      assertNothingInferred(app);
    }
    assertThat(logs.warnings())
        .singleElement()
        .asString()
        .contains("'yes'", ElasticSettings.SPAN_INFERENCE_ENABLED, "true or false");
  }

  private static void assertNothingInferred(CorrelatedSdk app) {
    assertThat(app.sdk().toString()).doesNotContain("InferringSpanExporter");
    Request request = Request.servedBy(app);
    assertThat(received(app, request.server)).containsOnlyKeys(STACK_TRACE_IDS, "url.scheme");
    assertThat(received(app, request.database)).containsOnlyKeys("db.system.name", "db.namespace");
  }

  @ParameterizedTest
  @EnumSource
  void exporter_wrappedByAnother_getsSpansOnceWithAttributesOfBoth(OtherCustomizer other) {
    try (CorrelatedSdk app =
        other.start(
            sdk -> sdk.addSpanExporterCustomizer((exporter, config) -> new Marking(exporter)),
            ON)) {
      Request request = Request.servedBy(app);

      for (Span span : List.of(request.server, request.database, request.client)) {
        assertThat(received(app, span))
            .containsEntry("theirs", "yes")
            .containsKeys("processor.event", "event.outcome", "otel.span_kind");
      }
      assertThat(received(app, request.server)).containsEntry(STACK_TRACE_IDS, EXPORTED_STACK);
      assertThat(app.receiver().spans()).hasSize(3);
    }
  }

  /** Another customizer's exporter, which also wraps spans. */
  private record Marking(SpanExporter delegate) implements SpanExporter {
    @Override
    public CompletableResultCode export(Collection<SpanData> spans) {
      return delegate.export(spans.stream().map(Marking::marked).toList());
    }

    private static SpanData marked(SpanData span) {
      Attributes marked = span.getAttributes().toBuilder().put("theirs", "yes").build();
      return new DelegatingSpanData(span) {
        @Override
        public Attributes getAttributes() {
          return marked;
        }

        @Override
        public int getTotalAttributeCount() {
          return span.getTotalAttributeCount() + 1;
        }
      };
    }

    @Override
    public CompletableResultCode flush() {
      return delegate.flush();
    }

    @Override
    public CompletableResultCode shutdown() {
      return delegate.shutdown();
    }
  }
}

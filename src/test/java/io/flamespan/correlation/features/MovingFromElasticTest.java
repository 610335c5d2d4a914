/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import static io.flamespan.correlation.testing.FakeProfiler.EXPORTED_STACK;
import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.scenarios.SampledTraces;
import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.ElasticJar;
import io.flamespan.correlation.testing.LogCapturer;
import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.TextMapPropagator;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.DelegatingSpanData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Promise: the settings for moving from Elastic's agent work while Flamespan runs. */
class MovingFromElasticTest {
  private static final String[] INFERENCE = {"elastic.otel.span.inference.enabled", "true"};
  private static final String STACK_TRACE_IDS = "elastic.profiler_stack_trace_ids";
  private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";

  @AutoClose private final LogCapturer logs = new LogCapturer();

  private static CorrelatedSdk start(String... settings) {
    return CorrelatedSdk.start(
        builder -> builder.setServiceClassLoader(ElasticJar.loader()), settings);
  }

  /** The spans of a request that calls another service, with one sample. */
  private record Request(Span server, Span client) {
    static Request servedBy(CorrelatedSdk app) {
      app.profiler().registration(60_000, "");
      Span server = span(app, SpanKind.SERVER, Context.root());
      Span client = span(app, SpanKind.CLIENT, Context.root().with(server));
      client.setAttribute("http.request.method", "GET");
      client.setAttribute("url.full", "https://payment.example:8443/pay?card=1");
      client.end();
      server.end();
      app.profiler().correlation(server, 1);
      app.shutdown();
      return new Request(server, client);
    }
  }

  private static Span span(CorrelatedSdk app, SpanKind kind, Context parent) {
    return app.tracer().spanBuilder("span").setSpanKind(kind).setParent(parent).startSpan();
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
  void spans_ofARequest_haveStackTraceIdsAndInferredAttributes() {
    try (CorrelatedSdk app = start(INFERENCE)) {
      Request request = Request.servedBy(app);

      assertThat(received(app, request.server))
          .containsOnly(
              Map.entry(STACK_TRACE_IDS, EXPORTED_STACK),
              Map.entry("otel.span_kind", "SERVER"),
              Map.entry("processor.event", "transaction"),
              Map.entry("transaction.type", "unknown"),
              Map.entry("event.outcome", "unknown"));
      assertThat(received(app, request.client))
          .containsEntry("processor.event", "span")
          .containsEntry("service.target.name", "payment.example:8443");
      assertThat(app.receiver().spans()).hasSize(2);
    }
    assertThat(logs.warnings()).isEmpty();
  }

  @Test
  void localRoot_withSampleRateAndBaggage_isExportedWithBoth() {
    try (CorrelatedSdk app =
        start(
            "elastic.otel.tracestate.sample.rate.enabled",
            "true",
            "elastic.otel.baggage.to.attach",
            "*")) {
      Span root;
      try (Scope scope = Baggage.builder().put("tenant", "blue").build().makeCurrent()) {
        root = app.span("root");
      }
      root.end();
      app.flush();

      assertThat(app.awaitReceived(root).span().getTraceState()).isEqualTo("es=s:1");
      assertThat(received(app, root)).containsEntry("baggage.tenant", "blue");
    }
  }

  @ParameterizedTest
  @CsvSource({"a=1", "''"})
  void trace_thatOnlyPasses_continuesWithItsFlag(String state) {
    try (CorrelatedSdk app = start("elastic.otel.transport.context.propagation.only", "true")) {
      TextMapPropagator propagator = app.sdk().getPropagators().getTextMapPropagator();
      Map<String, String> received = new HashMap<>();
      received.put("traceparent", "00-" + TRACE + "-b7ad6b7169203331-01");
      received.put("tracestate", state);
      Context remote = propagator.extract(Context.root(), received, SampledTraces.HEADERS);
      Span span = span(app, SpanKind.SERVER, remote);
      Span child = span(app, SpanKind.CLIENT, remote.with(span));
      Map<String, String> sent = new TreeMap<>();
      propagator.inject(remote.with(child), sent, Map::put);

      assertThat(sent)
          .containsEntry(
              "traceparent", "00-" + TRACE + "-" + child.getSpanContext().getSpanId() + "-01");
    }
  }

  @ParameterizedTest
  @EnumSource
  void exporter_wrappedByAnother_getsSpansOnceWithAttributesOfBoth(OtherCustomizer other) {
    try (CorrelatedSdk app =
        other.start(
            ElasticJar.loader(),
            sdk -> sdk.addSpanExporterCustomizer((exporter, config) -> new Marking(exporter)),
            INFERENCE)) {
      Request request = Request.servedBy(app);

      assertThat(received(app, request.server))
          .containsEntry("theirs", "yes")
          .containsKeys("processor.event", "event.outcome", "otel.span_kind")
          .containsEntry(STACK_TRACE_IDS, EXPORTED_STACK);
      assertThat(received(app, request.client))
          .containsEntry("theirs", "yes")
          .containsKeys("processor.event", "event.outcome", "otel.span_kind");
      assertThat(app.receiver().spans()).hasSize(2);
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

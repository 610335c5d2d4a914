/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.flamespan.correlation.scenarios.SampledTraces;
import io.flamespan.correlation.testing.CorrelatedSdk;
import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.trace.ReadableSpan;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Promise: requests carry the same trace, trace state and baggage as with the SDK alone. */
class PropagationTest {
  private static final String TRACE_ID = "0af7651916cd43dd8448eb211c80319c";
  private static final String PARENT_ID = "b7ad6b7169203331";
  private static final String SAMPLED = "00-" + TRACE_ID + "-" + PARENT_ID + "-01";
  private static final String UNSAMPLED = "00-" + TRACE_ID + "-" + PARENT_ID + "-00";

  /** The spans of a received request, and the headers of the outgoing request. */
  private record Served(Span server, Span client, Map<String, String> sent) {
    String traceparent(String flags) {
      return "00-"
          + server.getSpanContext().getTraceId()
          + "-"
          + client.getSpanContext().getSpanId()
          + "-"
          + flags;
    }
  }

  private static Served serve(CorrelatedSdk app, Map<String, String> received) {
    Context request =
        app.sdk()
            .getPropagators()
            .getTextMapPropagator()
            .extract(Context.root(), received, SampledTraces.HEADERS);
    Span server =
        app.tracer()
            .spanBuilder("server")
            .setSpanKind(SpanKind.SERVER)
            .setParent(request)
            .startSpan();
    try (Scope serving = request.with(server).makeCurrent()) {
      Span client = app.tracer().spanBuilder("client").setSpanKind(SpanKind.CLIENT).startSpan();
      Map<String, String> sent = new HashMap<>();
      try (Scope calling = client.makeCurrent()) {
        app.sdk().getPropagators().getTextMapPropagator().inject(Context.current(), sent, Map::put);
      }
      client.end();
      return new Served(server, client, sent);
    } finally {
      server.end();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"otlp", "none"})
  void trace_received_isContinuedAndSentOn(String exporter) {
    try (CorrelatedSdk app = CorrelatedSdk.start("otel.traces.exporter", exporter)) {
      Served served =
          serve(app, Map.of("traceparent", SAMPLED, "tracestate", "es=s:0.1,other=opaque"));

      assertThat(served.server.getSpanContext().getTraceId()).isEqualTo(TRACE_ID);
      assertThat(((ReadableSpan) served.server).getParentSpanContext().getSpanId())
          .isEqualTo(PARENT_ID);
      assertThat(served.server.getSpanContext().isSampled()).isTrue();
      assertThat(served.sent)
          .containsOnly(
              entry("traceparent", served.traceparent("01")),
              entry("tracestate", "es=s:0.1,other=opaque"));
    }
  }

  @Test
  void trace_receivedUnsampled_isSentOnUnsampled() {
    try (CorrelatedSdk app = CorrelatedSdk.start()) {
      Served served = serve(app, Map.of("traceparent", UNSAMPLED));

      assertThat(served.server.isRecording()).isFalse();
      assertThat(served.sent).containsOnly(entry("traceparent", served.traceparent("00")));
      assertThat(served.sent.get("traceparent")).contains(TRACE_ID);
    }
  }

  @Test
  void trace_receivedSampled_anotherSamplerDecides() {
    try (CorrelatedSdk app = CorrelatedSdk.start("otel.traces.sampler", "always_off")) {
      Served served = serve(app, Map.of("traceparent", SAMPLED));

      assertThat(served.server.isRecording()).isFalse();
      assertThat(served.sent).containsOnly(entry("traceparent", served.traceparent("00")));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"otlp", "none"})
  void trace_notReceived_isStartedAndSentOn(String exporter) {
    try (CorrelatedSdk app = CorrelatedSdk.start("otel.traces.exporter", exporter)) {
      Served served = serve(app, Map.of());
      app.flush();

      SpanContext started = served.client.getSpanContext();
      assertThat(started.isSampled()).isTrue();
      // Later SDKs also set the flag of random trace ids.
      assertThat(served.sent)
          .containsOnly(entry("traceparent", served.traceparent(started.getTraceFlags().asHex())));
      if (exporter.equals("none")) {
        assertThat(app.receiver().spans()).isEmpty();
      } else {
        app.awaitReceived(served.server);
        app.awaitReceived(served.client);
      }
    }
  }

  @Test
  void tracestate_receivedBlank_isNotSentOn() {
    try (CorrelatedSdk app = CorrelatedSdk.start()) {
      Served served = serve(app, Map.of("traceparent", SAMPLED, "tracestate", ""));

      assertThat(served.sent).containsOnly(entry("traceparent", served.traceparent("01")));
    }
  }

  @Test
  void baggage_received_isReadChangedAndSentOn() {
    try (CorrelatedSdk app = CorrelatedSdk.start()) {
      var propagator = app.sdk().getPropagators().getTextMapPropagator();
      Context received =
          propagator.extract(
              Context.root(), Map.of("baggage", "tenant=blue,trial=yes"), SampledTraces.HEADERS);
      Baggage baggage = Baggage.fromContext(received);
      assertThat(baggage.asMap()).containsOnlyKeys("tenant", "trial");
      assertThat(baggage.getEntryValue("tenant")).isEqualTo("blue");

      Baggage changed =
          baggage.toBuilder().put("tenant", "green").put("tier", "gold").remove("trial").build();
      Map<String, String> sent = new HashMap<>();
      try (Scope scope = received.with(changed).makeCurrent()) {
        propagator.inject(Context.current(), sent, Map::put);
      }

      assertThat(sent).containsOnlyKeys("baggage");
      assertThat(sent.get("baggage").split(",")).containsOnly("tenant=green", "tier=gold");
    }
  }
}

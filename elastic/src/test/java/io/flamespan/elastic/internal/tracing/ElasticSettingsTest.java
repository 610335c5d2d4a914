/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.tracing;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.elastic.internal.settings.ElasticSettings;
import io.flamespan.elastic.testing.ChildJvm;
import io.flamespan.elastic.testing.ElasticServiceApp;
import io.flamespan.elastic.testing.LogCapturer;
import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdkBuilder;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Promise: each setting works as documented in an autoconfigured SDK, and nothing is on without
 * settings.
 */
class ElasticSettingsTest {
  private static final int TRACES = 200;

  private final LogCapturer logs = new LogCapturer();

  @AfterEach
  void stopCapturing() {
    logs.close();
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "-, -, s:1",
        "always_on, -, s:1",
        "always_off, -, s:1",
        "traceidratio, -, s:1",
        "traceidratio, 0.25, s:0.25",
        "traceidratio, 0.33335, s:0.3334",
        "parentbased_always_on, 0.1, s:1",
        "parentbased_always_off, -, s:1",
        "parentbased_traceidratio, 0.5, s:0.5",
      })
  void sampleRate_ofEachSampler_isAtEachRoot(String sampler, String argument, String entry) {
    Map<String, String> settings =
        new HashMap<>(Map.of(ElasticSettings.SAMPLE_RATE_ENABLED, "true"));
    if (sampler != null) {
      settings.put("otel.traces.sampler", sampler);
    }
    if (argument != null) {
      settings.put("otel.traces.sampler.arg", argument);
    }
    try (OpenTelemetrySdk sdk = sdk(settings)) {
      for (int i = 0; i < TRACES; i++) {
        Span root = span(sdk, Context.root());
        Span child = span(sdk, Context.root().with(root));
        String expected = root.getSpanContext().isSampled() ? entry : "s:0";

        assertThat(entry(root)).isEqualTo(expected);
        assertThat(entry(child)).isEqualTo(expected);
      }
    }
    assertThat(logs.warnings()).isEmpty();
  }

  @Test
  void sampleRate_ofASamplerWrappedByAnotherCustomizer_isNotWritten() {
    try (OpenTelemetrySdk sdk =
        sdk(
            Map.of(ElasticSettings.SAMPLE_RATE_ENABLED, "true"),
            builder ->
                builder.addSamplerCustomizer(
                    (sampler, config) -> Sampler.parentBased(Sampler.traceIdRatioBased(0.5))))) {
      assertThat(entry(span(sdk, Context.root()))).isNull();
    }
    assertThat(logs.warnings())
        .singleElement()
        .asString()
        .contains(ElasticSettings.SAMPLE_RATE_ENABLED, "TraceIdRatioBased", "otel.traces.sampler");
  }

  @ParameterizedTest
  @ValueSource(strings = {"yes", "1", "auto"})
  void sampleRate_wrongValue_isOffWithOneLine(String value) {
    try (OpenTelemetrySdk sdk = sdk(Map.of(ElasticSettings.SAMPLE_RATE_ENABLED, value))) {
      assertThat(entry(span(sdk, Context.root()))).isNull();
    }
    assertThat(logs.warnings())
        .singleElement()
        .asString()
        .contains("'" + value + "'", ElasticSettings.SAMPLE_RATE_ENABLED, "true or false");
  }

  @Test
  void everything_withoutSettings_isOff() {
    try (OpenTelemetrySdk sdk = sdk(Map.of())) {
      Context baggage = Context.root().with(Baggage.builder().put("tenant", "blue").build());
      Span root = span(sdk, baggage);

      assertThat(entry(root)).isNull();
      assertThat(((ReadableSpan) root).toSpanData().getAttributes().isEmpty()).isTrue();
      assertThat(sdk.getPropagators().getTextMapPropagator().toString())
          .doesNotContain("ElasticPropagator");
    }
    assertThat(logs.warnings()).isEmpty();
  }

  @Test
  void baggage_ofSelectedKeys_isOnEachSpanThatStarts() {
    try (OpenTelemetrySdk sdk =
        sdk(Map.of(ElasticSettings.BAGGAGE_TO_ATTACH, " Tenant*,, (?-i)User ,"))) {
      Context baggage =
          Context.root()
              .with(
                  Baggage.builder()
                      .put("tenant.id", "blue")
                      .put("user", "no")
                      .put("User", "ann")
                      .put("other", "no")
                      .build());
      for (Span span : new Span[] {span(sdk, baggage), span(sdk, baggage)}) {
        Map<String, Object> attributes = new HashMap<>();
        ((ReadableSpan) span)
            .toSpanData()
            .getAttributes()
            .forEach((key, value) -> attributes.put(key.getKey(), value));
        assertThat(attributes)
            .containsOnly(Map.entry("baggage.tenant.id", "blue"), Map.entry("baggage.User", "ann"));
      }
    }
    assertThat(logs.warnings()).isEmpty();
  }

  @Test
  void environment_ofAService_continuesTheTraceOfAnOldAgent() {
    for (String propagators : new String[] {"tracecontext,baggage,elastic", "elastic,baggage"}) {
      ChildJvm.Result result =
          new ChildJvm()
              .environment("OTEL_PROPAGATORS", propagators)
              .environment("OTEL_TRACES_SAMPLER", "parentbased_traceidratio")
              .environment("OTEL_TRACES_SAMPLER_ARG", "0")
              .environment("ELASTIC_OTEL_TRACESTATE_SAMPLE_RATE_ENABLED", "true")
              .environment("ELASTIC_OTEL_BAGGAGE_TO_ATTACH", "ten*")
              .environment("OTEL_TRACES_EXPORTER", "logging")
              .environment("OTEL_METRICS_EXPORTER", "none")
              .environment("OTEL_LOGS_EXPORTER", "none")
              .run(ElasticServiceApp.class);

      assertThat(result.status()).as(result.output()).isZero();
      assertThat(result.output().lines())
          .contains(
              "continued: traceparent=00-0af7651916cd43dd8448eb211c80319c-<span id>-01"
                  + " tracestate=es=s:0.1,other=1",
              "attributes: {baggage.tenant=\"blue\"}",
              "new: tracestate=es=s:0");
    }
  }

  private static String entry(Span span) {
    SpanContext context = span.getSpanContext();
    return context.getTraceState().get("es");
  }

  private static Span span(OpenTelemetrySdk sdk, Context parent) {
    return sdk.getTracer("test").spanBuilder("span").setParent(parent).startSpan();
  }

  private static OpenTelemetrySdk sdk(Map<String, String> settings) {
    return sdk(settings, builder -> {});
  }

  private static OpenTelemetrySdk sdk(
      Map<String, String> settings, Consumer<AutoConfiguredOpenTelemetrySdkBuilder> customizer) {
    Map<String, String> properties = new HashMap<>(settings);
    // Without an exporter, the SDK creates no spans.
    properties.put("otel.traces.exporter", "logging");
    properties.put("otel.metrics.exporter", "none");
    properties.put("otel.logs.exporter", "none");
    AutoConfiguredOpenTelemetrySdkBuilder builder =
        AutoConfiguredOpenTelemetrySdk.builder()
            .disableShutdownHook()
            .addPropertiesSupplier(() -> properties);
    customizer.accept(builder);
    return builder.build().getOpenTelemetrySdk();
  }
}

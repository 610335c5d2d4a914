/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import static io.flamespan.correlation.testing.CorrelatedSdk.PREFIX;
import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.ProfilingCorrelation;
import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.RecordingMetricReader;
import io.flamespan.correlation.testing.RecordingSpanExporter;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.sdk.metrics.data.LongPointData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Promise: on request, a metric and an attribute report the samples of local root spans. */
class SamplesOfSpansTest {
  private static final String METRIC = PREFIX + "samples.metric.attributes";
  private static final String ATTRIBUTE = PREFIX + "samples.attribute";

  private final RecordingMetricReader reader = new RecordingMetricReader();
  private final RecordingSpanExporter second = new RecordingSpanExporter();

  @Test
  void metric_withTwoExporters_hasEachSampleOnce() {
    try (CorrelatedSdk app = start(METRIC, "http.route")) {
      sampled(app, "/cart", 3);
      sampled(app, "/cart", 2);
      sampled(app, "/pay", 1);
      app.tracer().spanBuilder("GET").setAttribute("http.route", "/idle").startSpan().end();
      app.flush();

      assertThat(second.spans()).hasSize(4);
      assertThat(samples()).isEqualTo(Map.of(route("/cart"), 5L, route("/pay"), 1L));
    }
  }

  @Test
  void metric_withIdsBeyondTheLimit_hasAllSamples() {
    try (CorrelatedSdk app =
        start(METRIC, "http.route", ATTRIBUTE, "n", PREFIX + "max.stack.trace.ids", "2")) {
      Span span = sampled(app, "/long", 1_000);
      app.flush();

      assertThat(app.receivedStackTraceIds(span)).hasSize(2);
      assertThat(number(app, span, "n")).isEqualTo(1_000);
      assertThat(samples()).isEqualTo(Map.of(route("/long"), 1_000L));
    }
  }

  @Test
  void metric_atShutdown_hasTheSpansThatWaited() {
    try (CorrelatedSdk app = start(METRIC, "http.route")) {
      app.profiler().registration(60_000, "");
      for (int i = 0; i < 100; i++) {
        sampled(app, "/last", 1);
      }
      app.sdk().getSdkTracerProvider().shutdown();

      assertThat(samples()).isEqualTo(Map.of(route("/last"), 100L));
    }
  }

  @Test
  void attribute_withTheSetting_isOnSampledLocalRootsOnly() {
    try (CorrelatedSdk app = start(ATTRIBUTE, "profiling.samples")) {
      Span span = sampled(app, "/cart", 3);
      Span idle = app.span("idle");
      idle.end();
      app.flush();

      assertThat(number(app, span, "profiling.samples")).isEqualTo(3);
      assertThat(app.receivedStackTraceIds(span)).hasSize(3);
      assertThat(app.awaitReceived(idle).span().getAttributesList()).isEmpty();
      assertThat(reader.collect("profiling.correlation.samples")).isEmpty();
    }
  }

  @Test
  void attribute_ofTheNameOfAnother_replacesIt() {
    try (CorrelatedSdk app = start(ATTRIBUTE, "http.route")) {
      Span span = sampled(app, "/cart", 3);
      app.flush();

      assertThat(number(app, span, "http.route")).isEqualTo(3);
    }
  }

  @Test
  void withoutTheSettings_nothingIsAdded() {
    try (CorrelatedSdk app = start()) {
      Span span = sampled(app, "/cart", 3);
      app.flush();

      assertThat(app.awaitReceived(span).span().getAttributesList())
          .extracting(KeyValue::getKey)
          .containsExactlyInAnyOrder("http.route", "elastic.profiler_stack_trace_ids");
      assertThat(reader.collect("profiling.correlation.samples")).isEmpty();
    }
  }

  private CorrelatedSdk start(String... settings) {
    return CorrelatedSdk.start(
        sdk ->
            sdk.addMeterProviderCustomizer(
                    (builder, config) -> builder.registerMetricReader(reader))
                .addTracerProviderCustomizer(
                    (builder, config) ->
                        builder.addSpanProcessor(
                            ProfilingCorrelation.correlate(SimpleSpanProcessor.create(second)))),
        settings);
  }

  private static Span sampled(CorrelatedSdk app, String route, int count) {
    Span span = app.tracer().spanBuilder("GET").setAttribute("http.route", route).startSpan();
    app.profiler().correlation(span, count);
    span.end();
    return span;
  }

  private static long number(CorrelatedSdk app, Span span, String key) {
    return app.awaitReceived(span).span().getAttributesList().stream()
        .filter(attribute -> attribute.getKey().equals(key))
        .mapToLong(attribute -> attribute.getValue().getIntValue())
        .sum();
  }

  private static Attributes route(String route) {
    return Attributes.builder().put("http.route", route).build();
  }

  private Map<Attributes, Long> samples() {
    return reader
        .collect("profiling.correlation.samples")
        .get(0)
        .getLongSumData()
        .getPoints()
        .stream()
        .collect(Collectors.toMap(LongPointData::getAttributes, LongPointData::getValue));
  }
}

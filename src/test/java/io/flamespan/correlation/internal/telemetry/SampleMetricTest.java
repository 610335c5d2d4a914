/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.flamespan.correlation.testing.RecordingMetricReader;
import io.flamespan.correlation.testing.RecordingSpanExporter;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.DoublePointData;
import io.opentelemetry.sdk.metrics.data.LongPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SampleMetricTest {
  private static final AttributeKey<Boolean> OVERFLOW =
      AttributeKey.booleanKey("otel.metric.overflow");

  private final RecordingMetricReader reader = new RecordingMetricReader();
  private final SdkMeterProvider meters =
      SdkMeterProvider.builder().registerMetricReader(reader).build();
  private final SdkTracerProvider tracers =
      SdkTracerProvider.builder()
          .addSpanProcessor(SimpleSpanProcessor.create(new RecordingSpanExporter()))
          .build();

  @AfterEach
  void close() {
    tracers.close();
    meters.close();
  }

  @Test
  void samples_byAttributes_areSummedUp() {
    SampleMetric metric = metric(0, "http.route", "rpc.method");

    metric.accept(span("a", Attributes.builder().put("http.route", "/cart").build()), 3);
    metric.accept(
        span("b", Attributes.builder().put("http.route", "/cart").put("user", 7).build()), 4);
    metric.accept(span("c", Attributes.builder().put("rpc.method", "Get").build()), 1);

    assertThat(samples())
        .isEqualTo(
            Map.of(
                Attributes.builder().put("http.route", "/cart").build(), 7L,
                Attributes.builder().put("rpc.method", "Get").build(), 1L));
  }

  @Test
  void samples_ofSpansWithoutTheAttributes_haveNone() {
    SampleMetric metric = metric(0, "http.route");

    metric.accept(span("job", Attributes.empty()), 2);

    assertThat(samples()).isEqualTo(Map.of(Attributes.empty(), 2L));
  }

  @Test
  void samples_ofSpansWithoutTheAttributes_haveTheNameIfAsked() {
    SampleMetric metric = metric(0, "http.route", "span.name");

    metric.accept(span("job", Attributes.empty()), 2);
    metric.accept(span("GET", Attributes.builder().put("http.route", "/").build()), 5);

    assertThat(samples())
        .isEqualTo(
            Map.of(
                Attributes.builder().put("span.name", "job").build(), 2L,
                Attributes.builder().put("http.route", "/").build(), 5L));
  }

  @Test
  void samples_ofSpansThatAreNotSampled_haveACounterOfTheirOwn() {
    SampleMetric metric = metric(0, "http.route", "span.name");

    metric.accept(span("GET", Attributes.empty()), 2);
    metric.addNotSampled("GET", 3);
    metric.addNotSampled("GET", 4);
    metric.addNotSampled("", 6);

    assertThat(samples(""))
        .isEqualTo(Map.of(Attributes.of(AttributeKey.stringKey("span.name"), "GET"), 2L));
    assertThat(samples("not_sampled."))
        .isEqualTo(
            Map.of(
                Attributes.of(AttributeKey.stringKey("span.name"), "GET"),
                7L,
                Attributes.empty(),
                6L));
  }

  @Test
  void spansThatAreNotSampled_withoutNamesAsAttribute_areOneSeries() {
    SampleMetric metric = metric(0, "http.route");

    metric.addNotSampled("GET", 3);
    metric.addNotSampled("POST", 4);

    assertThat(samples("not_sampled.")).isEqualTo(Map.of(Attributes.empty(), 7L));
  }

  @Test
  void attributes_ofAnyTypeAndLength_areBounded() {
    SampleMetric metric = metric(0, "status", "ok", "share", "list", "text");
    Attributes of =
        Attributes.builder()
            .put("status", 200)
            .put("ok", true)
            .put("share", 0.5)
            .put("list", "a", "b")
            .put("text", "x".repeat(1_000_000))
            .build();

    metric.accept(span("GET", of), 1);

    assertThat(samples())
        .isEqualTo(
            Map.of(
                Attributes.builder()
                    .put("status", 200)
                    .put("ok", true)
                    .put("share", 0.5)
                    .put("list", "[a, b]")
                    .put("text", "x".repeat(128))
                    .build(),
                1L));
  }

  @Test
  void series_thousands_areLimitedAndNoSampleIsLost() {
    SampleMetric metric = metric(0, "user");

    for (int i = 0; i < 10_000; i++) {
      metric.accept(span("GET", Attributes.builder().put("user", i).build()), 1);
    }

    Map<Attributes, Long> samples = samples();
    assertThat(samples).hasSizeLessThanOrEqualTo(2_000);
    assertThat(samples.get(Attributes.of(OVERFLOW, true))).isGreaterThan(7_000);
    assertThat(samples.values().stream().mapToLong(Long::longValue).sum()).isEqualTo(10_000);
  }

  @Test
  void exemplars_ofSampledSpans_leadToTheirTraces() {
    SampleMetric metric = metric(0, "http.route");
    ReadableSpan span = span("GET", Attributes.empty());

    metric.accept(span, 3);

    LongPointData point = data("samples").getLongSumData().getPoints().iterator().next();
    assertThat(point.getExemplars()).hasSize(1);
    assertThat(point.getExemplars().get(0).getSpanContext()).isEqualTo(span.getSpanContext());
  }

  @Test
  void period_given_isCountedInSeconds() {
    SampleMetric metric = metric(0.05, "http.route");

    metric.accept(span("GET", Attributes.empty()), 3);
    metric.accept(span("GET", Attributes.empty()), 4);

    MetricData data = data("sampled_time");
    assertThat(data.getUnit()).isEqualTo("s");
    List<DoublePointData> points = List.copyOf(data.getDoubleSumData().getPoints());
    assertThat(points).hasSize(1);
    assertThat(points.get(0).getValue()).isCloseTo(0.35, within(1e-9));
    assertThat(data.getDoubleSumData().isMonotonic()).isTrue();
  }

  @Test
  void samples_beforeMetersExist_areNoError() {
    new SampleMetric(List.of("http.route"), 0).accept(span("GET", Attributes.empty()), 1);

    assertThat(reader.collect()).isEmpty();
  }

  private SampleMetric metric(double secondsPerSample, String... names) {
    SampleMetric metric = new SampleMetric(List.of(names), secondsPerSample);
    metric.addTo(meters.get("test"));
    return metric;
  }

  private ReadableSpan span(String name, Attributes attributes) {
    Span span = tracers.get("test").spanBuilder(name).setAllAttributes(attributes).startSpan();
    span.end();
    return (ReadableSpan) span;
  }

  private Map<Attributes, Long> samples(String of) {
    return reader.collect("profiling.correlation." + of + "samples").stream()
        .flatMap(metric -> metric.getLongSumData().getPoints().stream())
        .collect(Collectors.toMap(LongPointData::getAttributes, LongPointData::getValue));
  }

  private Map<Attributes, Long> samples() {
    return data("samples").getLongSumData().getPoints().stream()
        .collect(Collectors.toMap(LongPointData::getAttributes, LongPointData::getValue));
  }

  private MetricData data(String name) {
    List<MetricData> all = List.copyOf(reader.collect());
    assertThat(all).hasSize(1);
    assertThat(all.get(0).getName()).isEqualTo("profiling.correlation." + name);
    return all.get(0);
  }
}

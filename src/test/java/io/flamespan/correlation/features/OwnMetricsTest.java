/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import static io.flamespan.correlation.testing.FakeProfiler.STACK;
import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.RecordingMetricReader;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.sdk.metrics.data.LongPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Promise: the plug-in's metrics are among those of the application's SDK. */
class OwnMetricsTest {
  private static final String PREFIX = "profiling.correlation.";

  private final RecordingMetricReader reader = new RecordingMetricReader();

  @Test
  void metrics_afterEvents_countThem() {
    try (CorrelatedSdk app = start("flamespan.buffer.size", "1")) {
      app.profiler().registration(60_000, "");
      app.flush();
      Span waiting = app.span("waiting");
      Span early = app.span("early");
      app.profiler().correlation(waiting, 3);
      app.profiler()
          .correlation(waiting.getSpanContext().getTraceId(), "1111111111111111", STACK, 1);
      app.profiler().send(new byte[] {99, 0, 1, 0, 5});
      waiting.end();
      early.end();
      assertThat(value("spans.waiting")).isEqualTo(1);
      app.flush();

      assertThat(value("spans.delayed")).isEqualTo(1);
      assertThat(value("spans.released_early")).isEqualTo(1);
      assertThat(value("spans.waiting")).isZero();
      assertThat(value("stack_trace_ids.attached")).isEqualTo(3);
      assertThat(messages("registration", "accepted")).isEqualTo(1);
      assertThat(messages("correlation", "accepted")).isEqualTo(1);
      assertThat(messages("correlation", "unknown_local_root")).isEqualTo(1);
      assertThat(messages("invalid", "dropped")).isEqualTo(1);
    }
  }

  @Test
  void metrics_exported_carryTheResourceOfTheSdk() {
    try (CorrelatedSdk app = start()) {
      assertThat(metric("spans.delayed").getResource().getAttribute(SERVICE_NAME))
          .isEqualTo("checkout");
      assertThat(metric("spans.delayed").getInstrumentationScopeInfo().getName())
          .isEqualTo("io.flamespan.correlation");
    }
  }

  @Test
  void metrics_pluginOff_doNotExist() {
    try (CorrelatedSdk app = start("flamespan.enabled", "false")) {
      assertThat(reader.collect()).noneMatch(metric -> metric.getName().startsWith(PREFIX));
    }
  }

  private static final AttributeKey<String> SERVICE_NAME = AttributeKey.stringKey("service.name");

  private CorrelatedSdk start(String... settings) {
    return CorrelatedSdk.startWith(reader, settings);
  }

  private MetricData metric(String name) {
    List<MetricData> found = reader.collect(PREFIX + name);
    assertThat(found).as(name).hasSize(1);
    return found.get(0);
  }

  private long value(String name) {
    MetricData metric = metric(name);
    Collection<LongPointData> points =
        name.equals("spans.waiting")
            ? metric.getLongGaugeData().getPoints()
            : metric.getLongSumData().getPoints();
    return points.iterator().next().getValue();
  }

  private long messages(String type, String outcome) {
    Attributes attributes = Attributes.builder().put("type", type).put("outcome", outcome).build();
    return metric("messages").getLongSumData().getPoints().stream()
        .filter(point -> point.getAttributes().equals(attributes))
        .mapToLong(LongPointData::getValue)
        .findFirst()
        .orElseThrow();
  }
}

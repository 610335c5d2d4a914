/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.hostid;

import static io.opentelemetry.api.common.AttributeKey.stringKey;
import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.common.export.MemoryMode;
import io.opentelemetry.sdk.metrics.Aggregation;
import io.opentelemetry.sdk.metrics.InstrumentType;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.Data;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.MetricDataType;
import io.opentelemetry.sdk.metrics.export.MetricExporter;
import io.opentelemetry.sdk.metrics.internal.data.ImmutableExponentialHistogramData;
import io.opentelemetry.sdk.metrics.internal.data.ImmutableGaugeData;
import io.opentelemetry.sdk.metrics.internal.data.ImmutableHistogramData;
import io.opentelemetry.sdk.metrics.internal.data.ImmutableLongPointData;
import io.opentelemetry.sdk.metrics.internal.data.ImmutableMetricData;
import io.opentelemetry.sdk.metrics.internal.data.ImmutableSumData;
import io.opentelemetry.sdk.metrics.internal.data.ImmutableSummaryData;
import io.opentelemetry.sdk.resources.Resource;
import io.otelprofiling.correlation.testing.EveryMethod;
import java.lang.reflect.Proxy;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HostIdMetricExporterTest {
  private static final InstrumentationScopeInfo SCOPE =
      InstrumentationScopeInfo.builder("scope").setVersion("1.2").build();

  private final ProfilerHostId hostId = new ProfilerHostId(null);
  private final Delegate delegate = new Delegate();
  private final MetricExporter exporter = HostIdExporter.of(delegate, hostId);

  private static MetricData metric(Resource resource, MetricDataType type) {
    AggregationTemporality delta = AggregationTemporality.DELTA;
    switch (type) {
      case LONG_GAUGE:
        return ImmutableMetricData.createLongGauge(
            resource,
            SCOPE,
            "name",
            "text",
            "s",
            ImmutableGaugeData.create(
                List.of(ImmutableLongPointData.create(1, 2, Attributes.empty(), 3))));
      case DOUBLE_GAUGE:
        return ImmutableMetricData.createDoubleGauge(
            resource, SCOPE, "name", "text", "s", ImmutableGaugeData.create(List.of()));
      case LONG_SUM:
        return ImmutableMetricData.createLongSum(
            resource,
            SCOPE,
            "name",
            "text",
            "s",
            ImmutableSumData.create(
                true, delta, List.of(ImmutableLongPointData.create(1, 2, Attributes.empty(), 3))));
      case DOUBLE_SUM:
        return ImmutableMetricData.createDoubleSum(
            resource, SCOPE, "name", "text", "s", ImmutableSumData.create(true, delta, List.of()));
      case SUMMARY:
        return ImmutableMetricData.createDoubleSummary(
            resource, SCOPE, "name", "text", "s", ImmutableSummaryData.create(List.of()));
      case HISTOGRAM:
        return ImmutableMetricData.createDoubleHistogram(
            resource, SCOPE, "name", "text", "s", ImmutableHistogramData.create(delta, List.of()));
      default:
        return ImmutableMetricData.createExponentialHistogram(
            resource,
            SCOPE,
            "name",
            "text",
            "s",
            ImmutableExponentialHistogramData.create(delta, List.of()));
    }
  }

  @Test
  void export_withoutId_passesTheCollectionOn() {
    Collection<MetricData> metrics = List.of(metric(Resource.empty(), MetricDataType.LONG_SUM));

    assertThat(exporter.export(metrics)).isSameAs(delegate.exportResult);
    assertThat(delegate.exported).isSameAs(metrics);
  }

  @ParameterizedTest
  @EnumSource(MetricDataType.class)
  void export_withLearnedId_addsItAndNothingElse(MetricDataType type) {
    MetricData metric = metric(Resource.builder().put("service.name", "s").build(), type);
    hostId.onRegistration("host-1");
    exporter.export(List.of(metric));

    MetricData exported = delegate.exported.iterator().next();
    assertThat(exported.getType()).isEqualTo(type);
    assertThat(exported.getResource())
        .isEqualTo(Resource.builder().put("service.name", "s").put("host.id", "host-1").build());
    EveryMethod.but(Set.of("getResource"), metric, exported, MetricData.class);
  }

  @Test
  void metric_everyMethod_asksTheOriginal() {
    Data<?> data = ImmutableSummaryData.create(List.of());
    Map<String, Object> answers =
        Map.of(
            "getResource",
            Resource.empty(),
            "getInstrumentationScopeInfo",
            SCOPE,
            "getName",
            "a name",
            "getDescription",
            "a description",
            "getUnit",
            "a unit",
            "getType",
            MetricDataType.SUMMARY,
            "getData",
            data);
    MetricData metric =
        (MetricData)
            Proxy.newProxyInstance(
                MetricData.class.getClassLoader(),
                new Class<?>[] {MetricData.class},
                (proxy, method, args) -> answers.get(method.getName()));
    hostId.onRegistration("host-1");
    exporter.export(List.of(metric));

    MetricData exported = delegate.exported.iterator().next();
    assertThat(exported.getInstrumentationScopeInfo()).isSameAs(SCOPE);
    assertThat(exported.getName()).isEqualTo("a name");
    assertThat(exported.getDescription()).isEqualTo("a description");
    assertThat(exported.getUnit()).isEqualTo("a unit");
    assertThat(exported.getType()).isEqualTo(MetricDataType.SUMMARY);
    assertThat(exported.getData()).isSameAs(data);
  }

  @Test
  void export_resourceWithHostId_isUnchanged() {
    Resource resource = Resource.create(Attributes.of(stringKey("host.id"), "own"));
    MetricData metric = metric(resource, MetricDataType.LONG_SUM);
    hostId.onRegistration("host-1");
    exporter.export(List.of(metric));

    assertThat(delegate.exported.iterator().next()).isSameAs(metric);
  }

  @ParameterizedTest
  @EnumSource(InstrumentType.class)
  void preferences_always_areThoseOfTheDelegate(InstrumentType type) {
    assertThat(exporter.getAggregationTemporality(type))
        .isEqualTo(delegate.getAggregationTemporality(type));
    assertThat(exporter.getDefaultAggregation(type)).isSameAs(delegate.getDefaultAggregation(type));
  }

  @Test
  void memoryModeFlushAndShutdown_always_callTheDelegate() {
    assertThat(exporter.getMemoryMode()).isEqualTo(MemoryMode.REUSABLE_DATA);
    assertThat(exporter.flush()).isSameAs(delegate.flushResult);
    assertThat(delegate.shutdowns).isZero();
    assertThat(exporter.shutdown()).isSameAs(delegate.shutdownResult);
    assertThat(delegate.shutdowns).isEqualTo(1);
  }

  /** Never returns a value that is the SDK's default. */
  private static final class Delegate extends RecordedExports<MetricData>
      implements MetricExporter {
    @Override
    public AggregationTemporality getAggregationTemporality(InstrumentType type) {
      return type.ordinal() % 2 == 0
          ? AggregationTemporality.DELTA
          : AggregationTemporality.CUMULATIVE;
    }

    @Override
    public Aggregation getDefaultAggregation(InstrumentType type) {
      return type.ordinal() % 2 == 0
          ? Aggregation.base2ExponentialBucketHistogram()
          : Aggregation.drop();
    }

    @Override
    public MemoryMode getMemoryMode() {
      return MemoryMode.REUSABLE_DATA;
    }
  }
}

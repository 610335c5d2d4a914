/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.hostid;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.common.export.MemoryMode;
import io.opentelemetry.sdk.metrics.Aggregation;
import io.opentelemetry.sdk.metrics.InstrumentType;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.Data;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.MetricDataType;
import io.opentelemetry.sdk.metrics.export.MetricExporter;
import io.opentelemetry.sdk.resources.Resource;
import java.util.Collection;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Exports metrics with the host id that a profiler announced. */
public final class HostIdMetricExporter implements MetricExporter {
  // Not created in an export, which would fail if that does.
  private static final Function<MetricData, Resource> RESOURCE = MetricData::getResource;
  private static final BiFunction<MetricData, Resource, MetricData> WITH_RESOURCE =
      WithResource::new;

  private final MetricExporter delegate;
  private final HostIdResource resources;

  public HostIdMetricExporter(MetricExporter delegate, ProfilerHostId hostId) {
    this.delegate = delegate;
    this.resources = new HostIdResource(hostId);
  }

  @Override
  public CompletableResultCode export(Collection<MetricData> metrics) {
    return delegate.export(resources.addTo(metrics, RESOURCE, WITH_RESOURCE));
  }

  @Override
  public AggregationTemporality getAggregationTemporality(InstrumentType instrumentType) {
    return delegate.getAggregationTemporality(instrumentType);
  }

  @Override
  public Aggregation getDefaultAggregation(InstrumentType instrumentType) {
    return delegate.getDefaultAggregation(instrumentType);
  }

  @Override
  public MemoryMode getMemoryMode() {
    return delegate.getMemoryMode();
  }

  @Override
  public CompletableResultCode flush() {
    return delegate.flush();
  }

  @Override
  public CompletableResultCode shutdown() {
    return delegate.shutdown();
  }

  @Override
  public String toString() {
    return "HostIdMetricExporter{" + delegate + "}";
  }

  private static final class WithResource implements MetricData {
    private final MetricData metric;
    private final Resource resource;

    WithResource(MetricData metric, Resource resource) {
      this.metric = metric;
      this.resource = resource;
    }

    @Override
    public Resource getResource() {
      return resource;
    }

    @Override
    public InstrumentationScopeInfo getInstrumentationScopeInfo() {
      return metric.getInstrumentationScopeInfo();
    }

    @Override
    public String getName() {
      return metric.getName();
    }

    @Override
    public String getDescription() {
      return metric.getDescription();
    }

    @Override
    public String getUnit() {
      return metric.getUnit();
    }

    @Override
    public MetricDataType getType() {
      return metric.getType();
    }

    @Override
    public Data<?> getData() {
      return metric.getData();
    }

    @Override
    public String toString() {
      return "WithResource{" + metric + ", " + resource + "}";
    }
  }
}

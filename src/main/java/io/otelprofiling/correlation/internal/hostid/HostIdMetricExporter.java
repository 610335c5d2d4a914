/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.hostid;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.common.export.MemoryMode;
import io.opentelemetry.sdk.metrics.Aggregation;
import io.opentelemetry.sdk.metrics.InstrumentType;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.export.MetricExporter;
import io.opentelemetry.sdk.resources.Resource;
import java.util.Collection;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Exports metrics with the host id announced by a profiler. */
public final class HostIdMetricExporter implements MetricExporter {
  // Not created during an export, which would fail if the creation did.
  private static final Function<MetricData, Resource> RESOURCE = MetricData::getResource;
  private static final BiFunction<MetricData, Resource, MetricData> WITH_RESOURCE =
      ResourceProxy.with(MetricData.class);

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
}

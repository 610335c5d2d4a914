/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.testing;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.metrics.InstrumentType;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.export.CollectionRegistration;
import io.opentelemetry.sdk.metrics.export.MetricReader;
import java.util.Collection;
import java.util.List;

/** A metric reader that collects when a test asks for it. */
public final class RecordingMetricReader implements MetricReader {
  private CollectionRegistration registration = CollectionRegistration.noop();

  /** Returns the metrics that a reader would export now. */
  public Collection<MetricData> collect() {
    return registration.collectAllMetrics();
  }

  /** Returns the metrics of this name that a reader would export now. */
  public List<MetricData> collect(String name) {
    return collect().stream().filter(metric -> metric.getName().equals(name)).toList();
  }

  @Override
  public void register(CollectionRegistration registration) {
    this.registration = registration;
  }

  @Override
  public AggregationTemporality getAggregationTemporality(InstrumentType type) {
    return AggregationTemporality.CUMULATIVE;
  }

  @Override
  public CompletableResultCode forceFlush() {
    return CompletableResultCode.ofSuccess();
  }

  @Override
  public CompletableResultCode shutdown() {
    return CompletableResultCode.ofSuccess();
  }
}

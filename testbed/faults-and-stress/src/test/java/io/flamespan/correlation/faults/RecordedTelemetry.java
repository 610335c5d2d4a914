/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.faults;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.metrics.InstrumentType;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.export.MetricExporter;
import io.opentelemetry.sdk.resources.Resource;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps the metrics that an SDK exports. */
final class RecordedTelemetry {
  private static final AttributeKey<String> HOST_ID = AttributeKey.stringKey("host.id");

  final List<MetricData> metrics = new CopyOnWriteArrayList<>();

  static boolean isOf(Resource resource, String hostId) {
    return hostId.equals(resource.getAttribute(HOST_ID));
  }

  /** A metric exporter that keeps the metrics. */
  final class Metrics implements MetricExporter {
    @Override
    public CompletableResultCode export(Collection<MetricData> batch) {
      metrics.addAll(batch);
      return CompletableResultCode.ofSuccess();
    }

    @Override
    public AggregationTemporality getAggregationTemporality(InstrumentType instrumentType) {
      return AggregationTemporality.CUMULATIVE;
    }

    @Override
    public CompletableResultCode flush() {
      return CompletableResultCode.ofSuccess();
    }

    @Override
    public CompletableResultCode shutdown() {
      return CompletableResultCode.ofSuccess();
    }
  }
}

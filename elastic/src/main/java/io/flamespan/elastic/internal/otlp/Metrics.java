/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.otlp;

import io.opentelemetry.exporter.otlp.http.metrics.OtlpHttpMetricExporter;
import io.opentelemetry.exporter.otlp.http.metrics.OtlpHttpMetricExporterBuilder;
import io.opentelemetry.exporter.otlp.metrics.OtlpGrpcMetricExporter;
import io.opentelemetry.exporter.otlp.metrics.OtlpGrpcMetricExporterBuilder;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.common.export.MemoryMode;
import io.opentelemetry.sdk.metrics.Aggregation;
import io.opentelemetry.sdk.metrics.InstrumentType;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.export.MetricExporter;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** The signal of metrics. */
final class Metrics implements Signal<MetricExporter, MetricData> {
  @Override
  public String name() {
    return "metrics";
  }

  @Override
  public String kind() {
    return "metrics";
  }

  /** Sets the preferences again, because the builders of older exporters do not copy them. */
  @Override
  public @Nullable OtlpBuilder<MetricExporter> builder(MetricExporter exporter) {
    if (exporter instanceof OtlpHttpMetricExporter) {
      OtlpHttpMetricExporterBuilder builder = ((OtlpHttpMetricExporter) exporter).toBuilder();
      builder.setAggregationTemporalitySelector(exporter);
      builder.setDefaultAggregationSelector(exporter);
      return new OtlpBuilder<>(
          true,
          builder::addHeader,
          builder::setCompression,
          builder::setEndpoint,
          builder::setConnectTimeout,
          builder::setRetryPolicy,
          builder::build);
    }
    if (exporter instanceof OtlpGrpcMetricExporter) {
      OtlpGrpcMetricExporterBuilder builder = ((OtlpGrpcMetricExporter) exporter).toBuilder();
      builder.setAggregationTemporalitySelector(exporter);
      builder.setDefaultAggregationSelector(exporter);
      return new OtlpBuilder<>(
          false,
          builder::addHeader,
          builder::setCompression,
          builder::setEndpoint,
          builder::setConnectTimeout,
          builder::setRetryPolicy,
          builder::build);
    }
    return null;
  }

  @Override
  public CompletableResultCode export(MetricExporter exporter, Collection<MetricData> items) {
    return exporter.export(items);
  }

  @Override
  public CompletableResultCode shutdown(MetricExporter exporter) {
    return exporter.shutdown();
  }

  @Override
  public MetricExporter exporter(MetricExporter like, Exporter<MetricData> exporter) {
    return new ForwardingExporter(like, exporter);
  }

  private static final class ForwardingExporter implements MetricExporter {
    private final MetricExporter like; // decides how metrics are collected
    private final Exporter<MetricData> exporter;

    ForwardingExporter(MetricExporter like, Exporter<MetricData> exporter) {
      this.like = like;
      this.exporter = exporter;
    }

    @Override
    public CompletableResultCode export(Collection<MetricData> items) {
      return exporter.export(items);
    }

    @Override
    public CompletableResultCode flush() {
      return exporter.flush();
    }

    @Override
    public CompletableResultCode shutdown() {
      return exporter.shutdown();
    }

    @Override
    public AggregationTemporality getAggregationTemporality(InstrumentType instrumentType) {
      return like.getAggregationTemporality(instrumentType);
    }

    @Override
    public Aggregation getDefaultAggregation(InstrumentType instrumentType) {
      return like.getDefaultAggregation(instrumentType);
    }

    @Override
    public MemoryMode getMemoryMode() {
      return like.getMemoryMode();
    }

    @Override
    public String toString() {
      return exporter.toString();
    }
  }
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.elastic.transport;

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

  /** Repeats the preferences, because builders of older exporters forget them. */
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
  public MetricExporter exporter(MetricExporter like, Failover<MetricData> failover) {
    return new FailoverExporter(like, failover);
  }

  @Override
  public MetricExporter discarding(MetricExporter like) {
    return new DiscardingExporter(like);
  }

  private static final class FailoverExporter extends LikeAnother {
    private final Failover<MetricData> failover;

    FailoverExporter(MetricExporter like, Failover<MetricData> failover) {
      super(like);
      this.failover = failover;
    }

    @Override
    public CompletableResultCode export(Collection<MetricData> items) {
      return failover.export(items);
    }

    @Override
    public CompletableResultCode flush() {
      return failover.flush();
    }

    @Override
    public CompletableResultCode shutdown() {
      return failover.shutdown();
    }

    @Override
    public String toString() {
      return failover.toString();
    }
  }

  private static final class DiscardingExporter extends LikeAnother {
    DiscardingExporter(MetricExporter like) {
      super(like);
    }

    @Override
    public CompletableResultCode export(Collection<MetricData> items) {
      return CompletableResultCode.ofSuccess();
    }

    @Override
    public CompletableResultCode flush() {
      return CompletableResultCode.ofSuccess();
    }

    @Override
    public CompletableResultCode shutdown() {
      return CompletableResultCode.ofSuccess();
    }

    @Override
    public String toString() {
      return "Discarding{metrics}";
    }
  }

  /** Decides, as another exporter does, how metrics are collected. */
  private abstract static class LikeAnother implements MetricExporter {
    private final MetricExporter like;

    LikeAnother(MetricExporter like) {
      this.like = like;
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
  }
}

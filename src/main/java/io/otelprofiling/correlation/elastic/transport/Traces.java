/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.elastic.transport;

import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporterBuilder;
import io.opentelemetry.exporter.otlp.trace.OtlpGrpcSpanExporter;
import io.opentelemetry.exporter.otlp.trace.OtlpGrpcSpanExporterBuilder;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** The signal of spans. */
final class Traces implements Signal<SpanExporter, SpanData> {
  @Override
  public String name() {
    return "traces";
  }

  @Override
  public String kind() {
    return "spans";
  }

  @Override
  public @Nullable OtlpBuilder<SpanExporter> builder(SpanExporter exporter) {
    if (exporter instanceof OtlpHttpSpanExporter) {
      OtlpHttpSpanExporterBuilder builder = ((OtlpHttpSpanExporter) exporter).toBuilder();
      return new OtlpBuilder<>(
          true,
          builder::addHeader,
          builder::setCompression,
          builder::setEndpoint,
          builder::setConnectTimeout,
          builder::setRetryPolicy,
          builder::build);
    }
    if (exporter instanceof OtlpGrpcSpanExporter) {
      OtlpGrpcSpanExporterBuilder builder = ((OtlpGrpcSpanExporter) exporter).toBuilder();
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
  public CompletableResultCode export(SpanExporter exporter, Collection<SpanData> items) {
    return exporter.export(items);
  }

  @Override
  public CompletableResultCode shutdown(SpanExporter exporter) {
    return exporter.shutdown();
  }

  @Override
  public SpanExporter exporter(SpanExporter like, Failover<SpanData> failover) {
    return new FailoverExporter(failover);
  }

  @Override
  public SpanExporter discarding(SpanExporter like) {
    return new DiscardingExporter();
  }

  private static final class FailoverExporter implements SpanExporter {
    private final Failover<SpanData> failover;

    FailoverExporter(Failover<SpanData> failover) {
      this.failover = failover;
    }

    @Override
    public CompletableResultCode export(Collection<SpanData> items) {
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

  private static final class DiscardingExporter implements SpanExporter {
    @Override
    public CompletableResultCode export(Collection<SpanData> items) {
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
      return "Discarding{spans}";
    }
  }
}

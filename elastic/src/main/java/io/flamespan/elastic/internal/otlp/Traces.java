/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.otlp;

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
  public SpanExporter exporter(SpanExporter like, Exporter<SpanData> exporter) {
    return new ForwardingExporter(exporter);
  }

  private static final class ForwardingExporter implements SpanExporter {
    private final Exporter<SpanData> exporter;

    ForwardingExporter(Exporter<SpanData> exporter) {
      this.exporter = exporter;
    }

    @Override
    public CompletableResultCode export(Collection<SpanData> items) {
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
    public String toString() {
      return exporter.toString();
    }
  }
}

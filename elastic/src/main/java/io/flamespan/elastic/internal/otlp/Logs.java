/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.otlp;

import io.opentelemetry.exporter.otlp.http.logs.OtlpHttpLogRecordExporter;
import io.opentelemetry.exporter.otlp.http.logs.OtlpHttpLogRecordExporterBuilder;
import io.opentelemetry.exporter.otlp.logs.OtlpGrpcLogRecordExporter;
import io.opentelemetry.exporter.otlp.logs.OtlpGrpcLogRecordExporterBuilder;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.logs.data.LogRecordData;
import io.opentelemetry.sdk.logs.export.LogRecordExporter;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** The signal of log records. */
final class Logs implements Signal<LogRecordExporter, LogRecordData> {
  @Override
  public String name() {
    return "logs";
  }

  @Override
  public String kind() {
    return "log records";
  }

  @Override
  public @Nullable OtlpBuilder<LogRecordExporter> builder(LogRecordExporter exporter) {
    if (exporter instanceof OtlpHttpLogRecordExporter) {
      OtlpHttpLogRecordExporterBuilder builder = ((OtlpHttpLogRecordExporter) exporter).toBuilder();
      return new OtlpBuilder<>(
          true,
          builder::addHeader,
          builder::setCompression,
          builder::setEndpoint,
          builder::setConnectTimeout,
          builder::setRetryPolicy,
          builder::build);
    }
    if (exporter instanceof OtlpGrpcLogRecordExporter) {
      OtlpGrpcLogRecordExporterBuilder builder = ((OtlpGrpcLogRecordExporter) exporter).toBuilder();
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
  public CompletableResultCode export(LogRecordExporter exporter, Collection<LogRecordData> items) {
    return exporter.export(items);
  }

  @Override
  public CompletableResultCode shutdown(LogRecordExporter exporter) {
    return exporter.shutdown();
  }

  @Override
  public LogRecordExporter exporter(LogRecordExporter like, Exporter<LogRecordData> exporter) {
    return new ForwardingExporter(exporter);
  }

  private static final class ForwardingExporter implements LogRecordExporter {
    private final Exporter<LogRecordData> exporter;

    ForwardingExporter(Exporter<LogRecordData> exporter) {
      this.exporter = exporter;
    }

    @Override
    public CompletableResultCode export(Collection<LogRecordData> items) {
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

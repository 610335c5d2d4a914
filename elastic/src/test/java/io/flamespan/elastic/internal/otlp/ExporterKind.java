/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.otlp;

import io.opentelemetry.exporter.otlp.http.logs.OtlpHttpLogRecordExporter;
import io.opentelemetry.exporter.otlp.http.metrics.OtlpHttpMetricExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.logs.OtlpGrpcLogRecordExporter;
import io.opentelemetry.exporter.otlp.metrics.OtlpGrpcMetricExporter;
import io.opentelemetry.exporter.otlp.trace.OtlpGrpcSpanExporter;
import io.opentelemetry.sdk.autoconfigure.spi.internal.DefaultConfigProperties;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.resources.Resource;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/** The six OTLP exporters. */
enum ExporterKind {
  HTTP_SPANS(
      new Traces(),
      timeout -> OtlpHttpSpanExporter.builder().setTimeout(timeout).build(),
      TestItems::spans),
  HTTP_METRICS(
      new Metrics(),
      timeout -> OtlpHttpMetricExporter.builder().setTimeout(timeout).build(),
      TestItems::metrics),
  HTTP_LOGS(
      new Logs(),
      timeout -> OtlpHttpLogRecordExporter.builder().setTimeout(timeout).build(),
      TestItems::logs),
  GRPC_SPANS(
      new Traces(),
      timeout -> OtlpGrpcSpanExporter.builder().setTimeout(timeout).build(),
      TestItems::spans),
  GRPC_METRICS(
      new Metrics(),
      timeout -> OtlpGrpcMetricExporter.builder().setTimeout(timeout).build(),
      TestItems::metrics),
  GRPC_LOGS(
      new Logs(),
      timeout -> OtlpGrpcLogRecordExporter.builder().setTimeout(timeout).build(),
      TestItems::logs);

  /** An exporter under test. */
  interface Exporting {
    CompletableResultCode export(String... names);

    CompletableResultCode shutdown();
  }

  private interface Starter {
    Exporting start(Map<String, String> settings, Supplier<Timer> timers, Duration timeout);
  }

  private final Starter starter;

  <E, T> ExporterKind(
      Signal<E, T> signal,
      Function<Duration, E> original,
      Function<String[], Collection<T>> items) {
    starter =
        (settings, timers, timeout) -> {
          var properties = DefaultConfigProperties.createFromMap(settings);
          E exporter =
              new ExporterCustomizer<>(signal, timers, () -> 0.5)
                  .apply(
                      original.apply(timeout),
                      OtlpConfig.read(properties, Resource.getDefault()),
                      properties);
          return new Exporting() {
            @Override
            public CompletableResultCode export(String... names) {
              return signal.export(exporter, items.apply(names));
            }

            @Override
            public CompletableResultCode shutdown() {
              return signal.shutdown(exporter);
            }
          };
        };
  }

  boolean isHttp() {
    return name().startsWith("HTTP");
  }

  OtlpServer server() {
    return isHttp() ? new HttpOtlpServer("127.0.0.2") : new GrpcOtlpServer("127.0.0.2");
  }

  Exporting start(Map<String, String> settings, Timer timer, Duration timeout) {
    return starter.start(settings, () -> timer, timeout);
  }
}

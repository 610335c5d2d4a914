/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.otlp;

import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.sdk.logs.SdkLoggerProvider;
import io.opentelemetry.sdk.logs.data.LogRecordData;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.util.ArrayList;
import java.util.List;

/** Data of the real SDK for spans, counters and log records with these names. */
final class TestItems {
  private TestItems() {}

  static List<SpanData> spans(String... names) {
    List<SpanData> spans = new ArrayList<>();
    SdkTracerProvider tracing =
        SdkTracerProvider.builder()
            .addSpanProcessor(SimpleSpanProcessor.create(InMemorySpanExporter.create()))
            .build();
    for (String name : names) {
      spans.add(((ReadableSpan) tracing.get("test").spanBuilder(name).startSpan()).toSpanData());
    }
    return spans;
  }

  static List<MetricData> metrics(String... names) {
    InMemoryMetricReader reader = InMemoryMetricReader.create();
    try (SdkMeterProvider metering =
        SdkMeterProvider.builder().registerMetricReader(reader).build()) {
      Meter meter = metering.get("test");
      for (String name : names) {
        meter.counterBuilder(name).build().add(1);
      }
      return new ArrayList<>(reader.collectAllMetrics());
    }
  }

  static List<LogRecordData> logs(String... names) {
    List<LogRecordData> records = new ArrayList<>();
    try (SdkLoggerProvider logging =
        SdkLoggerProvider.builder()
            .addLogRecordProcessor((context, record) -> records.add(record.toLogRecordData()))
            .build()) {
      for (String name : names) {
        logging.get("test").logRecordBuilder().setBody(name).emit();
      }
    }
    return records;
  }
}

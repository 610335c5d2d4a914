/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.elastic;

import com.google.protobuf.InvalidProtocolBufferException;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.logs.v1.LogRecord;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.resource.v1.Resource;
import io.opentelemetry.proto.trace.v1.Span;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The requests that a server received from OTLP exporters, over HTTP or gRPC. */
record Exports(List<RecordedRequest> requests) {
  /** The signals. Each is a separate service in OTLP. */
  enum Signal {
    TRACES("/v1/traces", "/opentelemetry.proto.collector.trace.v1.TraceService/Export"),
    METRICS("/v1/metrics", "/opentelemetry.proto.collector.metrics.v1.MetricsService/Export"),
    LOGS("/v1/logs", "/opentelemetry.proto.collector.logs.v1.LogsService/Export");

    private final List<String> paths;

    Signal(String... paths) {
      this.paths = List.of(paths);
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  Exports of(Signal signal) {
    return new Exports(
        requests.stream().filter(request -> signal.paths.contains(request.path())).toList());
  }

  boolean hasEachSignal() {
    return Arrays.stream(Signal.values()).noneMatch(signal -> of(signal).requests.isEmpty());
  }

  List<Span> spans() {
    List<Span> spans = new ArrayList<>();
    for (RecordedRequest request : of(Signal.TRACES).requests) {
      parsed(() -> ExportTraceServiceRequest.parseFrom(request.body()))
          .getResourceSpansList()
          .forEach(
              resource ->
                  resource.getScopeSpansList().forEach(s -> spans.addAll(s.getSpansList())));
    }
    return spans;
  }

  List<LogRecord> logRecords() {
    List<LogRecord> records = new ArrayList<>();
    for (RecordedRequest request : of(Signal.LOGS).requests) {
      parsed(() -> ExportLogsServiceRequest.parseFrom(request.body()))
          .getResourceLogsList()
          .forEach(
              resource ->
                  resource.getScopeLogsList().forEach(s -> records.addAll(s.getLogRecordsList())));
    }
    return records;
  }

  /** Returns the sum of all exported values of this counter. */
  long sum(String counter) {
    long sum = 0;
    for (RecordedRequest request : of(Signal.METRICS).requests) {
      List<Metric> metrics = new ArrayList<>();
      parsed(() -> ExportMetricsServiceRequest.parseFrom(request.body()))
          .getResourceMetricsList()
          .forEach(
              resource ->
                  resource.getScopeMetricsList().forEach(s -> metrics.addAll(s.getMetricsList())));
      sum +=
          metrics.stream()
              .filter(metric -> metric.getName().equals(counter))
              .flatMap(metric -> metric.getSum().getDataPointsList().stream())
              .mapToLong(point -> point.getAsInt())
              .sum();
    }
    return sum;
  }

  /** Returns the value of the attribute in the spans' resource. */
  String resource(String attribute) {
    for (RecordedRequest request : of(Signal.TRACES).requests) {
      Resource resource =
          parsed(() -> ExportTraceServiceRequest.parseFrom(request.body()))
              .getResourceSpans(0)
              .getResource();
      for (KeyValue each : resource.getAttributesList()) {
        if (each.getKey().equals(attribute)) {
          return each.getValue().getStringValue();
        }
      }
    }
    return "";
  }

  private static <M> M parsed(Parser<M> parser) {
    try {
      return parser.parse();
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("An exporter has sent a request that is not OTLP", e);
    }
  }

  private interface Parser<M> {
    M parse() throws InvalidProtocolBufferException;
  }
}

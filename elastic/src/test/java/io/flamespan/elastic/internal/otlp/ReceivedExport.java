/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.otlp;

import com.google.protobuf.InvalidProtocolBufferException;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * A request that a server has read completely, whatever its response was.
 *
 * @param headers by lower-case name; values of the same name are joined by a comma and a space
 * @param body decompressed OTLP protobuf
 */
record ReceivedExport(String path, Map<String, String> headers, byte[] body) {
  /** Returns the names of the spans and metrics, or the bodies of the log records. */
  List<String> names() {
    try {
      if (path.contains("trace")) {
        return ExportTraceServiceRequest.parseFrom(body).getResourceSpansList().stream()
            .flatMap(resource -> resource.getScopeSpansList().stream())
            .flatMap(scope -> scope.getSpansList().stream())
            .map(span -> span.getName())
            .toList();
      }
      if (path.contains("metrics")) {
        return ExportMetricsServiceRequest.parseFrom(body).getResourceMetricsList().stream()
            .flatMap(resource -> resource.getScopeMetricsList().stream())
            .flatMap(scope -> scope.getMetricsList().stream())
            .map(metric -> metric.getName())
            .toList();
      }
      return ExportLogsServiceRequest.parseFrom(body).getResourceLogsList().stream()
          .flatMap(resource -> resource.getScopeLogsList().stream())
          .flatMap(scope -> scope.getLogRecordsList().stream())
          .map(log -> log.getBody().getStringValue())
          .toList();
    } catch (InvalidProtocolBufferException e) {
      String begin = new String(body, 0, Math.min(body.length, 200), StandardCharsets.ISO_8859_1);
      throw new IllegalStateException("no OTLP: " + path + " " + headers + " " + begin, e);
    }
  }
}

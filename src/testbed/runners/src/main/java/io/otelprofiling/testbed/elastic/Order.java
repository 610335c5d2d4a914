/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.testbed.elastic;

import java.util.Properties;

/**
 * An order: who gave it, with which trace id (of no meaning for {@link Caller#NEW}), what the
 * service answered, and what it asked the stock.
 */
record Order(Caller caller, String sentTraceId, Properties answer, RecordedRequest stock) {
  /** Returns what the service said of the order. */
  String answered(String property) {
    return answer.getProperty(property, "");
  }

  String traceId() {
    return answered("trace.id");
  }

  /** Returns the trace id that the stock got. */
  String stockTraceId() {
    return traceParent(1);
  }

  /** Returns the id of the span that called the stock. */
  String stockParentId() {
    return traceParent(2);
  }

  /**
   * Returns the flag, 0 or 1. The others, such as that of a random trace id, are no matter here.
   */
  int stockSampled() {
    return sampled(traceParent(3));
  }

  /** Returns the flag of the header of Kafka. */
  int recordSampled() {
    String header = answered("record.header");
    return sampled(header.substring(Math.max(0, header.length() - 2)));
  }

  private static int sampled(String flags) {
    return flags.isEmpty() ? -1 : Integer.parseInt(flags, 16) & 1;
  }

  /** Returns a part of the only {@code traceparent} that the stock got, or nothing. */
  private String traceParent(int part) {
    String[] parts = stockHeader("traceparent").split("-");
    return parts.length == 4 ? parts[part] : "";
  }

  String stockHeader(String name) {
    return String.join(",", stock.header(name));
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.elastic;

import java.util.Properties;

/**
 * An order: its caller, the trace id that the caller sent (unused for {@link Caller#NEW}), the
 * response, and the request that the service sent to the stock.
 */
record Order(Caller caller, String sentTraceId, Properties answer, RecordedRequest stock) {
  /** Returns a property of the response, or an empty string. */
  String answered(String property) {
    return answer.getProperty(property, "");
  }

  String traceId() {
    return answered("trace.id");
  }

  /** Returns the trace id that the stock received. */
  String stockTraceId() {
    return traceParent(1);
  }

  /** Returns the id of the span that called the stock. */
  String stockParentId() {
    return traceParent(2);
  }

  /**
   * Returns the sampled flag, 0 or 1. Other flags, such as that of a random trace id, do not
   * matter.
   */
  int stockSampled() {
    return sampled(traceParent(3));
  }

  /** Returns the sampled flag of the Kafka header. */
  int recordSampled() {
    String header = answered("record.header");
    return sampled(header.substring(Math.max(0, header.length() - 2)));
  }

  private static int sampled(String flags) {
    return flags.isEmpty() ? -1 : Integer.parseInt(flags, 16) & 1;
  }

  /** Returns a part of the {@code traceparent} that the stock received, or an empty string. */
  private String traceParent(int part) {
    String[] parts = stockHeader("traceparent").split("-");
    return parts.length == 4 ? parts[part] : "";
  }

  String stockHeader(String name) {
    return String.join(",", stock.header(name));
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.elastic;

import io.opentelemetry.proto.trace.v1.Span.SpanKind;
import java.util.List;
import java.util.Map;

/** The attributes inferred from the spans of an order. Only the client span has a status. */
final class InferredAttributes {
  static final List<SpanKind> KINDS =
      List.of(
          SpanKind.SPAN_KIND_SERVER,
          SpanKind.SPAN_KIND_CLIENT,
          SpanKind.SPAN_KIND_PRODUCER,
          SpanKind.SPAN_KIND_CONSUMER);

  private static final String KIND = "otel.span_kind";
  private static final String EVENT = "processor.event";
  private static final String OUTCOME = "event.outcome";
  private static final String TRANSACTION_TYPE = "transaction.type";
  private static final String TYPE = "span.type";
  private static final String SUBTYPE = "span.subtype";
  private static final String TARGET_TYPE = "service.target.type";
  private static final String TARGET_NAME = "service.target.name";
  private static final String RESOURCE = "span.destination.service.resource";

  private InferredAttributes() {}

  /** Returns the attributes of a span of this kind, if the stock answers at this host and port. */
  static Map<String, String> of(SpanKind kind, String stock) {
    switch (kind) {
      case SPAN_KIND_SERVER:
        return transaction(kind, "request");
      case SPAN_KIND_CONSUMER:
        return transaction(kind, "messaging");
      case SPAN_KIND_CLIENT:
        return Map.of(
            KIND, name(kind),
            EVENT, "span",
            OUTCOME, "success",
            TYPE, "external",
            SUBTYPE, "http",
            TARGET_TYPE, "http",
            TARGET_NAME, stock,
            RESOURCE, stock);
      case SPAN_KIND_PRODUCER:
        return Map.of(
            KIND, name(kind),
            EVENT, "span",
            OUTCOME, "unknown",
            TYPE, "messaging",
            SUBTYPE, "kafka",
            TARGET_TYPE, "kafka",
            TARGET_NAME, "placed-orders",
            RESOURCE, "kafka/placed-orders");
      default:
        throw new IllegalArgumentException(kind.name());
    }
  }

  private static Map<String, String> transaction(SpanKind kind, String type) {
    return Map.of(
        KIND, name(kind), EVENT, "transaction", OUTCOME, "unknown", TRANSACTION_TYPE, type);
  }

  /** Returns the name of the kind in OpenTelemetry's API. */
  static String name(SpanKind kind) {
    return kind.name().substring("SPAN_KIND_".length());
  }
}

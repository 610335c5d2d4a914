/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.inference;

import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import org.jspecify.annotations.Nullable;

/**
 * Infers additional attributes of a span from its existing ones. An existing attribute of the same
 * name is kept, whatever its type. {@code transaction.result} is not inferred.
 *
 * <p>Source: OpenTelemetry API (Tracing). Where this specification does not define the OTLP name of
 * an attribute, Elastic's library for the OpenTelemetry Collector gives the name.
 */
final class SpanInference {
  private final SpanAttributes own;
  private final AttributesBuilder all;
  private boolean isAnyAdded;

  private SpanInference(SpanData span) {
    own = new SpanAttributes(span.getAttributes());
    all = span.getAttributes().toBuilder();
  }

  /** Returns the span with the inferred attributes, or the same span if it has all of them. */
  static SpanData addTo(SpanData span) {
    SpanInference inference = new SpanInference(span);
    inference.infer(span);
    return inference.isAnyAdded ? new SpanWithInference(span, inference.all.build()) : span;
  }

  private void infer(SpanData span) {
    SpanKind kind = span.getKind();
    add("otel.span_kind", kind.name());
    add("event.outcome", outcome(span.getStatus().getStatusCode()));
    if (isTransaction(span.getParentSpanContext())) {
      add("processor.event", "transaction");
      add("transaction.type", TransactionType.of(own, kind));
    } else {
      add("processor.event", "span");
      add(SpanType.of(own, kind));
    }
  }

  private void add(SpanType type) {
    add("span.type", type.type);
    add("span.subtype", type.subtype);
    if (type.target != null) {
      add("service.target.type", type.target.type);
      add("service.target.name", type.target.name);
      add("span.destination.service.resource", type.target.resource);
    }
  }

  private void add(String name, @Nullable String value) {
    if (value != null && !own.has(name)) {
      all.put(name, value);
      isAnyAdded = true;
    }
  }

  private static boolean isTransaction(SpanContext parent) {
    return !parent.isValid() || parent.isRemote();
  }

  private static String outcome(StatusCode status) {
    if (status == StatusCode.UNSET) {
      return "unknown";
    }
    return status == StatusCode.OK ? "success" : "failure";
  }
}

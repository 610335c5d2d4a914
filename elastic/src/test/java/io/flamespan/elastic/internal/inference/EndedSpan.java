/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.inference;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanLimits;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** Ended spans of a real SDK. */
final class EndedSpan {
  static final SpanContext LOCAL = context(false);
  static final SpanContext REMOTE = context(true);

  private EndedSpan() {}

  static SpanData of(SpanContext parent, SpanKind kind, String attributes) {
    return of(parent, kind, span -> span.setAllAttributes(WrittenAttributes.of(attributes)));
  }

  static SpanData of(SpanContext parent, SpanKind kind, Consumer<Span> whileItRuns) {
    return of(parent, kind, SpanLimits.getDefault(), whileItRuns);
  }

  /** Returns a span with every kind of data, and more of it than the limits allow. */
  static SpanData full() {
    SpanLimits limits =
        SpanLimits.builder()
            .setMaxNumberOfAttributes(2)
            .setMaxNumberOfEvents(1)
            .setMaxNumberOfLinks(1)
            .build();
    return of(
        LOCAL,
        SpanKind.CLIENT,
        limits,
        span ->
            span.setAttribute("db.system", "mysql")
                .setAttribute("db.name", "shop")
                .setAttribute("third", 3)
                .addLink(REMOTE)
                .addLink(LOCAL)
                .addEvent("first")
                .addEvent("second")
                .setStatus(StatusCode.ERROR, "reason"));
  }

  private static SpanData of(
      SpanContext parent, SpanKind kind, SpanLimits limits, Consumer<Span> whileItRuns) {
    try (SdkTracerProvider provider =
        SdkTracerProvider.builder()
            .addSpanProcessor(SimpleSpanProcessor.create(InMemorySpanExporter.create()))
            .setSpanLimits(limits)
            .build()) {
      Span span =
          provider
              .tracerBuilder("scope")
              .setInstrumentationVersion("1.2")
              .build()
              .spanBuilder("name")
              .setParent(Context.root().with(Span.wrap(parent)))
              .setSpanKind(kind)
              .setStartTimestamp(1_000, NANOSECONDS)
              .startSpan();
      whileItRuns.accept(span);
      span.end(2_000, NANOSECONDS);
      return ((ReadableSpan) span).toSpanData();
    }
  }

  static Map<String, Object> attributes(SpanData span) {
    Map<String, Object> byName = new HashMap<>();
    span.getAttributes().forEach((key, value) -> byName.put(key.getKey(), value));
    return byName;
  }

  private static SpanContext context(boolean remote) {
    String traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
    String spanId = "00f067aa0ba902b7";
    TraceState state = TraceState.builder().put("k", "v").build();
    return remote
        ? SpanContext.createFromRemoteParent(traceId, spanId, TraceFlags.getSampled(), state)
        : SpanContext.create(traceId, spanId, TraceFlags.getSampled(), state);
  }
}

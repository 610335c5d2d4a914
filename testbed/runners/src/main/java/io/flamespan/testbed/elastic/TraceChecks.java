/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.elastic;

import io.flamespan.testbed.harness.ReceivedTraces;
import io.flamespan.testbed.harness.Results;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Span.SpanKind;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Checks the trace of each order in the exported spans, at the stock and in the service. */
final class TraceChecks {
  private final Results results;
  private final List<Order> orders;
  private final List<Span> spans;

  TraceChecks(Results results, List<Order> orders, Exports exports) {
    this.results = results;
    this.orders = orders;
    this.spans = exports.spans();
  }

  void all() {
    callers();
    sampleRates();
    baggage();
    records();
    inference();
  }

  private void callers() {
    each(
        "server spans continue the trace of the old header",
        Caller.OLD,
        order -> continues(order, span(order, SpanKind.SPAN_KIND_SERVER)));
    each(
        "server spans continue the trace of traceparent if the old header names another trace",
        Caller.BOTH,
        order -> continues(order, span(order, SpanKind.SPAN_KIND_SERVER)));
    each(
        "traces of the old header that are not sampled stay unsampled, and no span is exported",
        Caller.OLD_NOT_SAMPLED,
        order ->
            order.traceId().equals(order.sentTraceId())
                && order.stockTraceId().equals(order.sentTraceId())
                && order.stockSampled() == 0
                && ofTrace(order).isEmpty());
    for (Caller caller : List.of(Caller.NEW, Caller.OLD, Caller.BOTH)) {
      each(
          "requests to the stock have the client span in traceparent, and no old header",
          caller,
          order ->
              order.stockTraceId().equals(order.traceId())
                  && order.stockParentId().equals(id(span(order, SpanKind.SPAN_KIND_CLIENT)))
                  && order.stockSampled() == 1
                  && order.stockHeader("elastic-apm-traceparent").isEmpty());
    }
  }

  private static boolean continues(Order order, Span server) {
    return order.traceId().equals(order.sentTraceId())
        && ReceivedTraces.hex(server.getParentSpanId()).equals(Caller.SPAN_ID)
        && ReceivedTraces.isLocalRoot(server);
  }

  private void sampleRates() {
    each(
        "new traces have the sampler's rate", Caller.NEW, order -> hasRate(order, "es=s:1", "1.0"));
    each(
        "the caller's rate and other vendors' entries are propagated",
        Caller.OLD,
        order -> hasRate(order, order.caller().traceState(), "0.25"));
    each(
        "the rate 0 of a trace that is not sampled is propagated",
        Caller.OLD_NOT_SAMPLED,
        order -> hasRate(order, order.caller().traceState(), "0.0"));
  }

  private boolean hasRate(Order order, String traceState, String rate) {
    return order.answered("sample.rate").equals(rate)
        && order.stockHeader("tracestate").equals(traceState)
        && (!order.caller().sampled()
            || all(order, span -> span.getTraceState().equals(traceState)));
  }

  private void baggage() {
    each(
        "each span below the request has the selected baggage entries, and no others",
        Caller.OLD,
        order ->
            all(
                order,
                span ->
                    attribute(span, "baggage.tenant").equals("acme")
                        && attribute(span, "baggage.user.id").equals("7")
                        && attribute(span, "baggage.secret").isEmpty()));
    each(
        "the complete baggage reaches the stock",
        Caller.OLD,
        order ->
            List.of(order.stockHeader("baggage").split(","))
                .containsAll(List.of(Caller.BAGGAGE.split(","))));
  }

  private void records() {
    for (Caller caller : List.of(Caller.NEW, Caller.OLD)) {
      each(
          "Kafka records contain the producer's span in 29 bytes, and consumers continue it",
          caller,
          order -> {
            Span producer = span(order, SpanKind.SPAN_KIND_PRODUCER);
            Span consumer = span(order, SpanKind.SPAN_KIND_CONSUMER);
            return order
                    .answered("record.header")
                    .equals("0000" + order.traceId() + "01" + id(producer) + "0201")
                && consumer.getParentSpanId().equals(producer.getSpanId())
                && ReceivedTraces.isLocalRoot(consumer);
          });
    }
  }

  private void inference() {
    for (SpanKind kind : InferredAttributes.KINDS) {
      each(
          "attributes of spans of kind " + InferredAttributes.name(kind) + " are inferred",
          Caller.NEW,
          order -> {
            Span span = span(order, kind);
            Map<String, String> expected = InferredAttributes.of(kind, order.stockHeader("host"));
            return expected.keySet().stream()
                .allMatch(key -> attribute(span, key).equals(expected.get(key)));
          });
    }
  }

  private void each(String text, Caller caller, Predicate<Order> expected) {
    List<Order> ofCaller = orders.stream().filter(order -> order.caller() == caller).toList();
    long held = ofCaller.stream().filter(expected).count();
    results.check(
        held > 0 && held == ofCaller.size(),
        "%d of %d (%s): %s",
        held,
        ofCaller.size(),
        caller,
        text);
  }

  /** Leaves out the consumer's span: the Kafka header has room only for the trace and the span. */
  private boolean all(Order order, Predicate<Span> expected) {
    return List.of(
            SpanKind.SPAN_KIND_SERVER, SpanKind.SPAN_KIND_CLIENT, SpanKind.SPAN_KIND_PRODUCER)
        .stream()
        .map(kind -> span(order, kind))
        .allMatch(expected);
  }

  private List<Span> ofTrace(Order order) {
    return spans.stream()
        .filter(span -> ReceivedTraces.hex(span.getTraceId()).equals(order.traceId()))
        .toList();
  }

  /** Returns the order's span of this kind, or an empty one. */
  private Span span(Order order, SpanKind kind) {
    List<Span> ofKind = ofTrace(order).stream().filter(span -> span.getKind() == kind).toList();
    return ofKind.size() == 1 ? ofKind.get(0) : Span.getDefaultInstance();
  }

  private static String id(Span span) {
    return ReceivedTraces.hex(span.getSpanId());
  }

  private static String attribute(Span span, String key) {
    return ReceivedTraces.attribute(span, key).getStringValue();
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.examples.elastic;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import io.flamespan.elastic.ElasticTraceState;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.logs.Logger;
import io.opentelemetry.api.logs.Severity;
import io.opentelemetry.api.metrics.LongCounter;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.context.propagation.TextMapPropagator;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Properties;

/**
 * Takes an order under a server span that continues the caller's trace, emits a log record and
 * counts the order. The response reports, as properties, what the service knows about the trace.
 */
final class OrderHandler implements HttpHandler {
  private final Tracer tracer;
  private final TextMapPropagator propagator;
  private final Logger logger;
  private final LongCounter count;
  private final StockClient stock;
  private final OrderRecords records;

  OrderHandler(OpenTelemetry openTelemetry, StockClient stock, OrderRecords records) {
    tracer = openTelemetry.getTracer("orders");
    propagator = openTelemetry.getPropagators().getTextMapPropagator();
    logger = openTelemetry.getLogsBridge().get("orders");
    count = openTelemetry.getMeter("orders").counterBuilder("orders").build();
    this.stock = stock;
    this.records = records;
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    Context caller =
        propagator.extract(Context.root(), exchange.getRequestHeaders(), HeaderGetter.INSTANCE);
    Span span =
        tracer
            .spanBuilder("GET /order")
            .setParent(caller)
            .setSpanKind(SpanKind.SERVER)
            .setAttribute("http.request.method", "GET")
            .setAttribute("http.route", "/order")
            .setAttribute("url.scheme", "http")
            .setAttribute("url.path", "/order")
            .startSpan();
    // Keeps the caller's baggage, which a context with only the span would lack.
    try (Scope scope = caller.with(span).makeCurrent()) {
      answer(exchange, span, 200, order(span));
    } catch (Exception e) {
      span.recordException(e).setStatus(StatusCode.ERROR);
      answer(exchange, span, 500, e.toString());
    } finally {
      span.end();
      exchange.close();
    }
  }

  private String order(Span span) throws IOException, InterruptedException {
    count.add(1);
    logger.logRecordBuilder().setSeverity(Severity.INFO).setBody("An order has arrived").emit();
    stock.take();
    Properties answer = records.send();
    SpanContext context = span.getSpanContext();
    answer.setProperty("trace.id", context.getTraceId());
    answer.setProperty("span.id", context.getSpanId());
    answer.setProperty("trace.flags", context.getTraceFlags().asHex());
    answer.setProperty("recording", Boolean.toString(span.isRecording()));
    ElasticTraceState.sampleRate(context)
        .ifPresent(rate -> answer.setProperty("sample.rate", Double.toString(rate)));
    StringWriter text = new StringWriter();
    answer.store(text, null);
    return text.toString();
  }

  private static void answer(HttpExchange exchange, Span span, int status, String text)
      throws IOException {
    span.setAttribute("http.response.status_code", status);
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
  }

  private enum HeaderGetter implements TextMapGetter<Headers> {
    INSTANCE;

    @Override
    @SuppressWarnings("deprecation") // SDKs before 1.67 still need it
    public Iterable<String> keys(Headers headers) {
      return headers.keySet();
    }

    @Override
    public String get(Headers headers, String name) {
      return headers == null ? null : headers.getFirst(name);
    }
  }
}

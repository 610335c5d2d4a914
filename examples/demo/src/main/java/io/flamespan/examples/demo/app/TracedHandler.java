/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.examples.demo.app;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.context.propagation.TextMapPropagator;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Answers requests for one path, each under a server span that continues the caller's trace. */
final class TracedHandler implements HttpHandler {

  private static final String REQUEST_ID_HEADER = "X-Request-Id";
  private static final AttributeKey<List<String>> REQUEST_ID =
      AttributeKey.stringArrayKey("http.request.header.x-request-id");

  private final Tracer tracer;
  private final TextMapPropagator propagator;
  private final String path;
  private final Endpoint endpoint;

  TracedHandler(OpenTelemetry openTelemetry, Tracer tracer, String path, Endpoint endpoint) {
    this.tracer = tracer;
    this.propagator = openTelemetry.getPropagators().getTextMapPropagator();
    this.path = path;
    this.endpoint = endpoint;
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    long startCpuNanos = ThreadCpu.nanos();
    Span span = startSpan(exchange);
    try (Scope ignored = span.makeCurrent()) {
      send(exchange, 200, endpoint.respond());
    } catch (Exception e) {
      span.recordException(e).setStatus(StatusCode.ERROR);
      send(exchange, 500, e.toString());
    } finally {
      ThreadCpu.record(span, startCpuNanos);
      span.end();
      exchange.close();
    }
  }

  private Span startSpan(HttpExchange exchange) {
    Context caller =
        propagator.extract(Context.current(), exchange.getRequestHeaders(), HeaderGetter.INSTANCE);
    Span span =
        tracer
            .spanBuilder(exchange.getRequestMethod() + " " + path)
            .setParent(caller)
            .setSpanKind(SpanKind.SERVER)
            .setAttribute("http.request.method", exchange.getRequestMethod())
            .setAttribute("http.route", path)
            .startSpan();
    List<String> requestId = exchange.getRequestHeaders().get(REQUEST_ID_HEADER);
    if (requestId != null) {
      span.setAttribute(REQUEST_ID, requestId);
    }
    return span;
  }

  private static void send(HttpExchange exchange, int status, String text) throws IOException {
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

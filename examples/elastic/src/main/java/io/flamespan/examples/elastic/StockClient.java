/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.examples.elastic;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.TextMapPropagator;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** Asks another service, under a client span. */
final class StockClient {
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  private final HttpClient client = HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
  private final Tracer tracer;
  private final TextMapPropagator propagator;
  private final URI stock;

  StockClient(OpenTelemetry openTelemetry, URI stock) {
    tracer = openTelemetry.getTracer("orders");
    propagator = openTelemetry.getPropagators().getTextMapPropagator();
    this.stock = stock;
  }

  void take() throws IOException, InterruptedException {
    Span span =
        tracer
            .spanBuilder("GET")
            .setSpanKind(SpanKind.CLIENT)
            .setAttribute("http.request.method", "GET")
            .setAttribute("url.full", stock.toString())
            .setAttribute("server.address", stock.getHost())
            .setAttribute("server.port", stock.getPort())
            .startSpan();
    try (Scope scope = span.makeCurrent()) {
      HttpRequest.Builder request = HttpRequest.newBuilder(stock).timeout(TIMEOUT);
      propagator.inject(Context.current(), request, HttpRequest.Builder::setHeader);
      HttpResponse<Void> response = client.send(request.build(), BodyHandlers.discarding());
      span.setAttribute("http.response.status_code", response.statusCode());
      span.setStatus(response.statusCode() == 200 ? StatusCode.OK : StatusCode.ERROR);
    } finally {
      span.end();
    }
  }
}

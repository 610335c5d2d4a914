/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.examples.company.plain;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.otelprofiling.examples.company.workload.Workload;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Nothing but an autoconfigured SDK and the JDK's HTTP server: what differs between its rows is the
 * Java runtime. Each request computes on a thread of the server, on another one and on the first
 * again, which then computes for nobody.
 */
public final class PlainApp {
  private static final int ONCE_REQUESTS = 20;

  private final Workload workload = new Workload();
  private final ExecutorService otherThreads;
  private final Tracer tracer;

  private PlainApp(OpenTelemetry openTelemetry, ExecutorService otherThreads) {
    this.otherThreads = otherThreads;
    tracer = openTelemetry.getTracer("company");
  }

  /**
   * Serves requests until the process is terminated. With the argument {@code once}, it sends some
   * to itself and ends.
   */
  public static void main(String[] arguments) throws IOException {
    serve(
        AutoConfiguredOpenTelemetrySdk.initialize().getOpenTelemetrySdk(),
        Executors.newFixedThreadPool(2));
    if (arguments.length > 0 && arguments[0].equals("once")) {
      System.exit(0);
    }
  }

  /** Serves requests with this SDK, some of them from itself, and tells the port. */
  public static void serve(OpenTelemetry openTelemetry, ExecutorService otherThreads)
      throws IOException {
    PlainApp app = new PlainApp(openTelemetry, otherThreads);
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    Executor threads = Executors.newFixedThreadPool(4);
    server.setExecutor(threads);
    server.createContext("/", app::handle);
    server.start();
    int port = server.getAddress().getPort();
    for (int i = 0; i < ONCE_REQUESTS; i++) {
      request(port);
    }
    Workload.listensOn(port);
  }

  private static void request(int port) throws IOException {
    URL address = new URL("http://127.0.0.1:" + port + "/");
    HttpURLConnection connection = (HttpURLConnection) address.openConnection();
    connection.setRequestProperty(
        "traceparent", "00-0123456789abcdef0123456789abcdef-0123456789abcdef-01");
    try (InputStream body = connection.getInputStream()) {
      body.readAllBytes();
    }
  }

  private void handle(HttpExchange exchange) throws IOException {
    String traceParent = exchange.getRequestHeaders().getFirst("traceparent");
    String traceId = Workload.traceId(traceParent);
    SpanContext client =
        SpanContext.createFromRemoteParent(
            traceId, traceParent.split("-")[2], TraceFlags.getSampled(), TraceState.getDefault());
    Span server =
        tracer
            .spanBuilder("GET /")
            .setParent(Context.root().with(Span.wrap(client)))
            .setSpanKind(SpanKind.SERVER)
            .startSpan();
    try (Scope scope = server.makeCurrent()) {
      serve(traceId);
      byte[] answer = traceId.getBytes(StandardCharsets.US_ASCII);
      exchange.sendResponseHeaders(200, answer.length);
      try (OutputStream body = exchange.getResponseBody()) {
        body.write(answer);
      }
    } finally {
      server.end();
    }
    workload.serveNobody(2);
  }

  private void serve(String traceId) {
    workload.serve(traceId, 2);
    Span inner = tracer.spanBuilder("inner").startSpan();
    try (Scope scope = inner.makeCurrent()) {
      workload.serve(traceId, 2);
    } finally {
      inner.end();
    }
    Runnable elsewhere = Context.current().wrap(() -> workload.serve(traceId, 3));
    CompletableFuture.runAsync(elsewhere, otherThreads).join();
    workload.serve(traceId, 2);
  }
}

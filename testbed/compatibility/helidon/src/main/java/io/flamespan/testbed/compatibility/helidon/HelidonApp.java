/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.compatibility.helidon;

import io.flamespan.testbed.compatibility.workload.Workload;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.ServerRequestHeaders;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.FilterChain;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.RoutingRequest;
import io.helidon.webserver.http.RoutingResponse;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.context.propagation.TextMapPropagator;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;

/**
 * Helidon SE, which serves each connection on a virtual thread. Without the argument {@code agent},
 * a filter of the application creates the server span. The connection's thread and other virtual
 * threads serve a request; all of them yield their carriers in between.
 */
public final class HelidonApp {
  private static final HeaderName TRACEPARENT = HeaderNames.create("traceparent");

  private static final TextMapGetter<ServerRequestHeaders> HEADERS =
      (headers, key) -> headers.first(HeaderNames.create(key)).orElse(null);

  private final Workload workload = new Workload();
  private final Tracer tracer = GlobalOpenTelemetry.getTracer("compatibility");
  private final TextMapPropagator propagator =
      GlobalOpenTelemetry.getPropagators().getTextMapPropagator();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  private HelidonApp() {}

  /** Serves requests until the process is terminated. */
  public static void main(String[] arguments) {
    boolean tracesItself = !arguments[0].equals("agent");
    if (tracesItself) {
      AutoConfiguredOpenTelemetrySdk.initialize();
    }
    HelidonApp application = new HelidonApp();
    HttpRouting.Builder routing = HttpRouting.builder();
    if (tracesItself) {
      routing.addFilter(application::trace);
    }
    routing.get("/", application::serve).get("/forked", application::serveForked);
    WebServer server =
        WebServer.builder().host("127.0.0.1").port(0).addRouting(routing).build().start();
    Workload.listensOn(server.port());
  }

  private void trace(FilterChain chain, RoutingRequest request, RoutingResponse response) {
    Context parent = propagator.extract(Context.root(), request.headers(), HEADERS);
    Span span =
        tracer.spanBuilder("GET").setParent(parent).setSpanKind(SpanKind.SERVER).startSpan();
    try (Scope scope = parent.with(span).makeCurrent()) {
      chain.proceed();
    } finally {
      span.end();
    }
  }

  private void serve(ServerRequest request, ServerResponse response) {
    String traceId = traceId(request);
    compute(traceId);
    response.send(traceId);
  }

  /** Computes on other virtual threads as well, both for the request and for no request. */
  private void serveForked(ServerRequest request, ServerResponse response) {
    String traceId = traceId(request);
    CompletableFuture<Void> served =
        CompletableFuture.runAsync(() -> compute(traceId), Context.taskWrapping(threads));
    CompletableFuture<Void> nobodyServed =
        CompletableFuture.runAsync(Context.root().wrap(this::computeForNobody), threads);
    compute(traceId);
    CompletableFuture.allOf(served, nobodyServed).join();
    workload.serve(traceId, 1);
    response.send(traceId);
  }

  private static String traceId(ServerRequest request) {
    if (!Thread.currentThread().isVirtual()) {
      throw new IllegalStateException("Not a virtual thread: " + Thread.currentThread());
    }
    return Workload.traceId(request.headers().get(TRACEPARENT).get());
  }

  private void compute(String traceId) {
    workload.serve(traceId, 1);
    Span inner = tracer.spanBuilder("inner").startSpan();
    try (Scope scope = inner.makeCurrent()) {
      workload.serve(traceId, 1);
      LockSupport.parkNanos(100_000);
      workload.serve(traceId, 1);
    } finally {
      inner.end();
    }
    workload.serve(traceId, 1);
  }

  private void computeForNobody() {
    workload.serveNobody(1);
    LockSupport.parkNanos(100_000);
    workload.serveNobody(1);
  }
}

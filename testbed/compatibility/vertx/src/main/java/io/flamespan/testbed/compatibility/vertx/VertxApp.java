/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.compatibility.vertx;

import io.flamespan.testbed.compatibility.workload.Workload;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.vertx.core.Vertx;
import io.vertx.core.VertxBuilder;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.tracing.opentelemetry.OpenTelemetryTracingFactory;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Serves all requests with one event loop, each in several steps: on the loop, after a timer, in
 * the worker pool, on a thread outside Vert.x, and on the loop again. Between the steps, the loop
 * computes for no request. With the argument {@code library}, Vert.x creates the spans.
 */
public final class VertxApp {
  private final Vertx vertx;
  private final Workload workload = new Workload();
  private final ExecutorService otherThreads = Executors.newFixedThreadPool(2);
  private final Tracer tracer = GlobalOpenTelemetry.getTracer("compatibility");

  private VertxApp(Vertx vertx) {
    this.vertx = vertx;
  }

  /**
   * Serves requests until the process is terminated; writes the port into {@code
   * example.port.file}.
   */
  public static void main(String[] arguments) {
    VertxBuilder builder =
        Vertx.builder().with(new VertxOptions().setEventLoopPoolSize(1).setWorkerPoolSize(2));
    if (arguments[0].equals("library")) {
      builder.withTracer(
          new OpenTelemetryTracingFactory(
              AutoConfiguredOpenTelemetrySdk.initialize().getOpenTelemetrySdk()));
    }
    VertxApp app = new VertxApp(builder.build());
    app.vertx.setPeriodic(5, id -> app.workload.serveNobody(2));
    app.vertx
        .createHttpServer()
        .requestHandler(app::serve)
        .listen(0, "127.0.0.1")
        .onSuccess(server -> Workload.listensOn(server.actualPort()));
  }

  private void serve(HttpServerRequest request) {
    String traceId = Workload.traceId(request.getHeader("traceparent"));
    workload.serve(traceId, 2);
    Span inner = tracer.spanBuilder("inner").startSpan();
    try (Scope scope = inner.makeCurrent()) {
      workload.serve(traceId, 2);
    } finally {
      inner.end();
    }
    workload.serve(traceId, 1);
    vertx.setTimer(3, id -> serveAfterTimer(request, traceId));
  }

  private void serveAfterTimer(HttpServerRequest request, String traceId) {
    workload.serve(traceId, 2);
    vertx
        .executeBlocking(
            () -> {
              workload.serve(traceId, 3);
              return traceId;
            })
        .onSuccess(same -> serveElsewhere(request, traceId));
  }

  private void serveElsewhere(HttpServerRequest request, String traceId) {
    workload.serve(traceId, 1);
    io.vertx.core.Context loop = vertx.getOrCreateContext();
    Runnable elsewhere =
        () -> {
          workload.serve(traceId, 3);
          loop.runOnContext(nothing -> end(request, traceId));
        };
    otherThreads.execute(Context.current().wrap(elsewhere));
  }

  private void end(HttpServerRequest request, String traceId) {
    workload.serve(traceId, 1);
    request.response().end();
    workload.serve(traceId, 1);
  }
}

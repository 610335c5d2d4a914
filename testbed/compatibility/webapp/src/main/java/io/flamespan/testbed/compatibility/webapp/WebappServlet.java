/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.compatibility.webapp;

import io.flamespan.testbed.compatibility.workload.ServerSpan;
import io.flamespan.testbed.compatibility.workload.Workload;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A web application whose class loader contains OpenTelemetry and the plug-in. It begins each
 * request on a thread of the server and completes it on a separate thread. With the system property
 * {@code example.agent}, it uses the SDK of the Java agent instead.
 */
public class WebappServlet extends HttpServlet {
  private static final long serialVersionUID = 1;

  private transient Workload workload;
  private transient Tracer tracer;
  private transient ExecutorService threads;

  @Override
  public void init() {
    if (!Boolean.getBoolean("example.agent")) {
      AutoConfiguredOpenTelemetrySdk.initialize();
    }
    workload = new Workload();
    tracer = GlobalOpenTelemetry.getTracer("compatibility");
    threads = Executors.newFixedThreadPool(2);
  }

  @Override
  public void destroy() {
    threads.shutdownNow();
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response) {
    String traceParent = request.getHeader("traceparent");
    String traceId = Workload.traceId(traceParent);
    ServerSpan span = ServerSpan.of(tracer, traceParent);
    AsyncContext async = request.startAsync();
    try (Scope scope = span.context().makeCurrent()) {
      workload.serve(traceId, 4);
      Span inner = tracer.spanBuilder("inner").startSpan();
      try (Scope within = inner.makeCurrent()) {
        workload.serve(traceId, 4);
      } finally {
        inner.end();
      }
      threads.execute(Context.current().wrap(() -> complete(traceId, span, async)));
      workload.serve(traceId, 2);
    }
  }

  private void complete(String traceId, ServerSpan span, AsyncContext async) {
    workload.serve(traceId, 5);
    span.end();
    async.complete();
    try (Scope none = Context.root().makeCurrent()) {
      workload.serveNobody(1);
    }
  }
}

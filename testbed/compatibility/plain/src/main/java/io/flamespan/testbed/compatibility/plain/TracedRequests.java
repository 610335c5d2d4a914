/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.compatibility.plain;

import io.flamespan.testbed.compatibility.workload.Workload;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Traces requests with the OpenTelemetry API. Each computes on the thread of its caller, then on
 * another one, then on the first again.
 */
public final class TracedRequests implements PlainServer.Requests {
  private final Workload workload = new Workload();
  private final ExecutorService otherThreads = Executors.newFixedThreadPool(2);
  private final Tracer tracer;

  /** Creates requests that this SDK traces. */
  public TracedRequests(OpenTelemetry openTelemetry) {
    tracer = openTelemetry.getTracer("compatibility");
  }

  @Override
  public void serve(String traceParent) {
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
      compute(traceId);
    } finally {
      server.end();
    }
  }

  @Override
  public void serveNobody() {
    workload.serveNobody(2);
  }

  private void compute(String traceId) {
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

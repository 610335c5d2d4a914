/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.examples.eventloop.quarkus;

import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Scope;
import io.otelprofiling.examples.eventloop.work.Work;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.Path;
import java.time.Duration;

/** Serves requests on the event loop, in the worker pool, and in turns on both. */
@Path("/")
public class QuarkusEndpoints {
  private static final String TRACE_PARENT = "traceparent";

  @Inject Work work;
  @Inject Vertx vertx;

  /** Serves a request that begins and ends on the event loop. */
  @GET
  @Path("loop")
  public Uni<String> onLoop(@HeaderParam(TRACE_PARENT) String traceParent) {
    String traceId = Work.traceId(traceParent);
    serveWithin(traceId);
    Context loop = vertx.getOrCreateContext();
    return Uni.createFrom()
        .item(traceId)
        .onItem()
        .delayIt()
        .by(Duration.ofMillis(3))
        .invoke(() -> work.serve(traceId, 2))
        .emitOn(Infrastructure.getDefaultWorkerPool())
        .invoke(() -> work.serve(traceId, 3))
        .emitOn(task -> loop.runOnContext(nothing -> task.run()))
        .invoke(() -> work.serve(traceId, 2));
  }

  /** Does the same with the API of Vert.x. */
  @GET
  @Path("vertx")
  public Uni<String> byVertx(@HeaderParam(TRACE_PARENT) String traceParent) {
    String traceId = Work.traceId(traceParent);
    serveWithin(traceId);
    return Uni.createFrom()
        .emitter(
            emitter ->
                vertx.setTimer(
                    3,
                    id -> {
                      work.serve(traceId, 2);
                      vertx
                          .executeBlocking(
                              () -> {
                                work.serve(traceId, 3);
                                return traceId;
                              })
                          .onComplete(
                              result -> {
                                work.serve(traceId, 2);
                                emitter.complete(traceId);
                              });
                    }));
  }

  /** Serves a request on one thread of the worker pool. */
  @GET
  @Path("blocking")
  public String blocking(@HeaderParam(TRACE_PARENT) String traceParent) {
    String traceId = Work.traceId(traceParent);
    serveWithin(traceId);
    return traceId;
  }

  private void serveWithin(String traceId) {
    work.serve(traceId, 2);
    Span inner = GlobalOpenTelemetry.getTracer("event-loop").spanBuilder("inner").startSpan();
    try (Scope scope = inner.makeCurrent()) {
      work.serve(traceId, 2);
    } finally {
      inner.end();
    }
    work.serve(traceId, 1);
  }
}

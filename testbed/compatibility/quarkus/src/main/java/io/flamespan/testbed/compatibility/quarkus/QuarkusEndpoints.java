/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.compatibility.quarkus;

import io.flamespan.testbed.compatibility.workload.Workload;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Scope;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.Path;
import java.time.Duration;

/** Serves requests on the event loop, in the worker pool, and alternately on both. */
@Path("/")
public class QuarkusEndpoints {
  private static final String TRACE_PARENT = "traceparent";

  @Inject Workload workload;
  @Inject Vertx vertx;

  /** Serves a request that begins and ends on the event loop. */
  @GET
  @Path("loop")
  public Uni<String> onLoop(@HeaderParam(TRACE_PARENT) String traceParent) {
    String traceId = Workload.traceId(traceParent);
    serveWithin(traceId);
    Context loop = vertx.getOrCreateContext();
    return Uni.createFrom()
        .item(traceId)
        .onItem()
        .delayIt()
        .by(Duration.ofMillis(3))
        .invoke(() -> workload.serve(traceId, 2))
        .emitOn(Infrastructure.getDefaultWorkerPool())
        .invoke(() -> workload.serve(traceId, 3))
        .emitOn(task -> loop.runOnContext(nothing -> task.run()))
        .invoke(() -> workload.serve(traceId, 2));
  }

  /** Does the same with the API of Vert.x. */
  @GET
  @Path("vertx")
  public Uni<String> byVertx(@HeaderParam(TRACE_PARENT) String traceParent) {
    String traceId = Workload.traceId(traceParent);
    serveWithin(traceId);
    return Uni.createFrom()
        .emitter(
            emitter ->
                vertx.setTimer(
                    3,
                    id -> {
                      workload.serve(traceId, 2);
                      vertx
                          .executeBlocking(
                              () -> {
                                workload.serve(traceId, 3);
                                return traceId;
                              })
                          .onComplete(
                              result -> {
                                workload.serve(traceId, 2);
                                emitter.complete(traceId);
                              });
                    }));
  }

  /** Serves a request on one thread of the worker pool. */
  @GET
  @Path("blocking")
  public String blocking(@HeaderParam(TRACE_PARENT) String traceParent) {
    String traceId = Workload.traceId(traceParent);
    serveWithin(traceId);
    return traceId;
  }

  private void serveWithin(String traceId) {
    workload.serve(traceId, 2);
    Span inner = GlobalOpenTelemetry.getTracer("compatibility").spanBuilder("inner").startSpan();
    try (Scope scope = inner.makeCurrent()) {
      workload.serve(traceId, 2);
    } finally {
      inner.end();
    }
    workload.serve(traceId, 1);
  }
}

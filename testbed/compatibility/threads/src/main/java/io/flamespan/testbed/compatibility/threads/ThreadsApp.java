/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.compatibility.threads;

import io.flamespan.testbed.compatibility.plain.PlainServer;
import io.flamespan.testbed.compatibility.workload.ServerSpan;
import io.flamespan.testbed.compatibility.workload.Workload;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.locks.LockSupport;

/**
 * Serves requests on other threads of the JDK: those of a pool and of the common pool, and a
 * virtual thread for each task if this Java supports them. All of them also compute for no request.
 * Without the argument {@code agent}, the application traces itself.
 */
public final class ThreadsApp implements PlainServer.Requests {
  private static final int PARTS = 2;

  private final Workload workload = new Workload();
  private final Tracer tracer = GlobalOpenTelemetry.getTracer("compatibility");
  private final List<ExecutorService> pools =
      List.of(Executors.newFixedThreadPool(2), ForkJoinPool.commonPool(), threadForEachTask());

  /** Serves requests until the process is terminated. */
  public static void main(String[] arguments) throws Exception {
    if (!arguments[0].equals("agent")) {
      AutoConfiguredOpenTelemetrySdk.initialize();
    }
    PlainServer.start(new ThreadsApp());
  }

  private static ExecutorService threadForEachTask() {
    try {
      return (ExecutorService)
          Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    } catch (ReflectiveOperationException e) {
      return Executors.newCachedThreadPool();
    }
  }

  @Override
  public void serve(String traceParent) {
    ServerSpan span = ServerSpan.of(tracer, traceParent);
    try (Scope scope = span.context().makeCurrent()) {
      String traceId = Workload.traceId(traceParent);
      workload.serve(traceId, 1);
      for (ExecutorService pool : pools) {
        serveIn(pool, traceId);
      }
      workload.serve(traceId, 1);
    } finally {
      span.end();
    }
  }

  /** Computes on other threads, both for the request and for no request. */
  private void serveIn(ExecutorService pool, String traceId) {
    ExecutorService carrying = Context.taskWrapping(pool);
    CompletableFuture<?>[] parts = new CompletableFuture<?>[2 * PARTS];
    for (int i = 0; i < PARTS; i++) {
      parts[2 * i] = CompletableFuture.runAsync(() -> serveInTurns(traceId), carrying);
      parts[2 * i + 1] =
          CompletableFuture.runAsync(Context.root().wrap(this::serveNobodyInTurns), pool);
    }
    CompletableFuture.allOf(parts).join();
  }

  /** Lets another virtual thread run on the carrier between two computations. */
  private void serveInTurns(String traceId) {
    workload.serve(traceId, 1);
    Span inner = tracer.spanBuilder("inner").startSpan();
    try (Scope scope = inner.makeCurrent()) {
      workload.serve(traceId, 1);
      LockSupport.parkNanos(100_000);
      workload.serve(traceId, 1);
    } finally {
      inner.end();
    }
  }

  private void serveNobodyInTurns() {
    serveNobody();
    LockSupport.parkNanos(100_000);
    serveNobody();
  }

  @Override
  public void serveNobody() {
    workload.serveNobody(1);
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.compatibility.micronaut;

import io.flamespan.testbed.compatibility.workload.Workload;
import io.micronaut.context.ApplicationContext;
import io.micronaut.core.propagation.PropagatedContext;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.Produces;
import io.micronaut.runtime.Micronaut;
import io.micronaut.runtime.server.EmbeddedServer;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import java.time.Duration;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Micronaut, traced by its tracing module if that is on the class path, otherwise by the Java
 * agent. An event loop and Reactor's threads serve the requests, or threads for blocking code.
 */
@Controller
public class MicronautApp {
  private final Workload workload = new Workload();

  /** Serves requests until the process is terminated. */
  public static void main(String[] arguments) {
    ApplicationContext context = Micronaut.build(arguments).mainClass(MicronautApp.class).start();
    // Micronaut's module creates the SDK when it is first used, at the latest by the first request.
    context.findBean(OpenTelemetry.class);
    Workload.listensOn(context.getBean(EmbeddedServer.class).getPort());
  }

  /** Computes on an event loop and on Reactor's threads. */
  @Get("/reactive")
  @Produces("text/plain")
  public Mono<String> reactive(@Header String traceparent) {
    String traceId = Workload.traceId(traceparent);
    compute(traceId);
    return Mono.just(traceId)
        .delayElement(Duration.ofMillis(3))
        .doOnNext(this::compute)
        .publishOn(Schedulers.boundedElastic())
        .doOnNext(this::compute)
        .doFinally(signal -> serveNobody());
  }

  /**
   * Computes for no request on threads that also serve requests. Neither OpenTelemetry's context is
   * propagated nor Micronaut's, from which the module derives OpenTelemetry's.
   */
  private void serveNobody() {
    try (PropagatedContext.Scope nothing = PropagatedContext.empty().propagate();
        Scope none = Context.root().makeCurrent()) {
      Schedulers.parallel().schedule(() -> workload.serveNobody(1));
      Schedulers.boundedElastic().schedule(() -> workload.serveNobody(1));
    }
  }

  /** Computes on a thread for blocking code. */
  @Get("/blocking")
  @Produces("text/plain")
  @ExecuteOn(TaskExecutors.BLOCKING)
  public String blocking(@Header String traceparent) {
    compute(Workload.traceId(traceparent));
    return traceparent;
  }

  private void compute(String traceId) {
    workload.serve(traceId, 1);
    Span inner = GlobalOpenTelemetry.getTracer("compatibility").spanBuilder("inner").startSpan();
    try (Scope scope = inner.makeCurrent()) {
      workload.serve(traceId, 2);
    } finally {
      inner.end();
    }
    workload.serve(traceId, 1);
  }
}

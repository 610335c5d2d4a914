/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.compatibility.webflux;

import io.flamespan.testbed.compatibility.workload.Workload;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import java.time.Duration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.web.server.reactive.context.ReactiveWebServerApplicationContext;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Spring WebFlux, traced by OpenTelemetry's starter if that is on the class path, otherwise by the
 * Java agent. Each request begins on an event loop and continues on two schedulers, whose threads
 * also compute for no request.
 */
@SpringBootApplication
@RestController
public class WebFluxApp {
  private final Workload workload = new Workload();
  private final Tracer tracer;

  /** Uses the OpenTelemetry instance of the starter, or else that of the agent. */
  public WebFluxApp(ObjectProvider<OpenTelemetry> ofStarter) {
    OpenTelemetry openTelemetry =
        ofStarter.getIfAvailable(io.opentelemetry.api.GlobalOpenTelemetry::get);
    tracer = openTelemetry.getTracer("compatibility");
  }

  /** Serves requests until the process is terminated. */
  public static void main(String[] arguments) {
    ReactiveWebServerApplicationContext context =
        (ReactiveWebServerApplicationContext) SpringApplication.run(WebFluxApp.class, arguments);
    Workload.listensOn(context.getWebServer().getPort());
  }

  /** Computes on an event loop and on threads of schedulers. */
  @GetMapping("/")
  public Mono<String> serve(@RequestHeader String traceparent) {
    String traceId = Workload.traceId(traceparent);
    compute(traceId);
    return Mono.just(traceId)
        .delayElement(Duration.ofMillis(3))
        .doOnNext(this::compute)
        .publishOn(Schedulers.boundedElastic())
        .doOnNext(this::compute)
        .publishOn(Schedulers.parallel())
        .doOnNext(this::compute)
        .doFinally(signal -> serveNobody());
  }

  /** Computes for no request on threads that also serve requests; no context is propagated. */
  private void serveNobody() {
    try (Scope none = Context.root().makeCurrent()) {
      Schedulers.parallel().schedule(() -> workload.serveNobody(1));
      Schedulers.boundedElastic().schedule(() -> workload.serveNobody(1));
    }
  }

  private void compute(String traceId) {
    workload.serve(traceId, 1);
    Span inner = tracer.spanBuilder("inner").startSpan();
    try (Scope scope = inner.makeCurrent()) {
      workload.serve(traceId, 1);
    } finally {
      inner.end();
    }
    workload.serve(traceId, 1);
  }
}

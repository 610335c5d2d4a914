/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.compatibility.reactor;

import io.flamespan.testbed.compatibility.workload.ServerSpan;
import io.flamespan.testbed.compatibility.workload.Workload;
import io.micrometer.context.ContextRegistry;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.instrumentation.reactor.v3_1.ContextPropagationOperator;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.time.Duration;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;

/**
 * Serves each request with a chain of operators on an event loop and three Reactor schedulers,
 * whose threads also compute for no request. The argument selects what propagates contexts along
 * the chain: {@code library} for the operator of OpenTelemetry's instrumentation, {@code
 * micrometer} for Reactor itself with Micrometer's context propagation, {@code agent} for the Java
 * agent.
 */
public final class ReactorApp {
  private final Workload workload = new Workload();
  private final Tracer tracer = GlobalOpenTelemetry.getTracer("compatibility");
  private final String mode;

  private ReactorApp(String mode) {
    this.mode = mode;
  }

  /** Serves requests until the process is terminated. */
  public static void main(String[] arguments) {
    String mode = arguments[0];
    if (!mode.equals("agent")) {
      AutoConfiguredOpenTelemetrySdk.initialize();
    }
    if (mode.equals("library")) {
      ContextPropagationOperator.create().registerOnEachOperator();
    } else if (mode.equals("micrometer")) {
      ContextRegistry.getInstance().registerThreadLocalAccessor(new CurrentContextAccessor());
      Hooks.enableAutomaticContextPropagation();
    }
    ReactorApp app = new ReactorApp(mode);
    DisposableServer server =
        HttpServer.create().host("127.0.0.1").port(0).handle(app::handle).bindNow();
    Workload.listensOn(server.port());
    server.onDispose().block();
  }

  private Publisher<Void> handle(HttpServerRequest request, HttpServerResponse response) {
    String traceParent = request.requestHeaders().get("traceparent");
    ServerSpan span = ServerSpan.of(tracer, traceParent);
    Mono<String> served = serve(Workload.traceId(traceParent)).doFinally(signal -> span.end());
    return carry(served, span.context()).then(response.send()).doFinally(signal -> serveNobody());
  }

  /** Computes for no request on threads that also serve requests; no context is propagated. */
  private void serveNobody() {
    Runnable task = () -> workload.serveNobody(1);
    try (Scope none = Context.root().makeCurrent()) {
      Schedulers.boundedElastic().schedule(task);
      Schedulers.parallel().schedule(task);
      Schedulers.single().schedule(task);
    }
  }

  private Mono<String> carry(Mono<String> served, Context context) {
    return switch (mode) {
      case "library" -> ContextPropagationOperator.runWithContext(served, context);
      case "micrometer" ->
          served.contextWrite(view -> view.put(CurrentContextAccessor.KEY, context));
      default -> served;
    };
  }

  private Mono<String> serve(String traceId) {
    return Mono.fromCallable(() -> compute(traceId))
        .delayElement(Duration.ofMillis(3))
        .doOnNext(id -> workload.serve(id, 2))
        .publishOn(Schedulers.boundedElastic())
        .doOnNext(id -> workload.serve(id, 2))
        .flatMap(id -> Flux.range(0, 3).flatMap(part -> compute(id, part)).then(Mono.just(id)))
        .publishOn(Schedulers.single())
        .doOnNext(id -> workload.serve(id, 1));
  }

  private Mono<String> compute(String traceId, int part) {
    return Mono.fromCallable(() -> compute(traceId))
        .subscribeOn(part == 0 ? Schedulers.immediate() : Schedulers.parallel());
  }

  private String compute(String traceId) {
    workload.serve(traceId, 1);
    Span inner = tracer.spanBuilder("inner").startSpan();
    try (Scope scope = inner.makeCurrent()) {
      workload.serve(traceId, 1);
    } finally {
      inner.end();
    }
    return traceId;
  }
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
import io.helidon.http.HeaderNames;
import io.helidon.tracing.Tracer;
import io.helidon.tracing.providers.opentelemetry.HelidonOpenTelemetry;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.helidon.webserver.observe.ObserveFeature;
import io.helidon.webserver.observe.tracing.TracingObserver;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.otelprofiling.examples.company.workload.Workload;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;

/**
 * Serves each request by a virtual thread of Helidon and another one, which give way to others in
 * between. Helidon traces by itself, unless the argument is {@code agent}.
 */
final class HelidonApp {
  private static final Workload workload = new Workload();
  private static final ExecutorService others =
      Context.taskWrapping(Executors.newVirtualThreadPerTaskExecutor());

  public static void main(String[] arguments) {
    WebServer.Builder server = WebServer.builder().host("127.0.0.1").port(0).shutdownHook(false);
    if (!arguments[0].equals("agent")) {
      OpenTelemetry sdk = AutoConfiguredOpenTelemetrySdk.initialize().getOpenTelemetrySdk();
      Tracer tracer = HelidonOpenTelemetry.create(sdk, sdk.getTracer("helidon"), Map.of());
      server.addFeature(ObserveFeature.just(TracingObserver.create(tracer)));
    }
    WebServer started =
        server.routing(routing -> routing.get("/", HelidonApp::serve)).build().start();
    Workload.listensOn(started.port());
  }

  private static void serve(ServerRequest request, ServerResponse response) throws Exception {
    String traceId =
        Workload.traceId(request.headers().get(HeaderNames.create("traceparent")).get());
    compute(traceId);
    others.submit(() -> compute(traceId)).get();
    LockSupport.parkNanos(100_000);
    workload.serve(traceId, 1);
    try (Scope none = Context.root().makeCurrent()) {
      workload.serveNobody(1);
    }
    response.send(traceId);
  }

  private static void compute(String traceId) {
    workload.serve(traceId, 1);
    Span inner = GlobalOpenTelemetry.getTracer("company").spanBuilder("inner").startSpan();
    try (Scope scope = inner.makeCurrent()) {
      workload.serve(traceId, 1);
      LockSupport.parkNanos(100_000);
      workload.serve(traceId, 1);
    } finally {
      inner.end();
    }
  }
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
import io.helidon.http.HeaderNames;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.otelprofiling.examples.company.workload.ServerSpan;
import io.otelprofiling.examples.company.workload.Workload;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;

/**
 * Serves each request by a virtual thread of Helidon and another one, which give way to others in
 * between. Without the argument {@code agent}, the application traces by itself.
 */
final class HelidonApp {
  private static final Workload workload = new Workload();
  private static final ExecutorService others =
      Context.taskWrapping(Executors.newVirtualThreadPerTaskExecutor());

  public static void main(String[] arguments) {
    if (!arguments[0].equals("agent")) {
      AutoConfiguredOpenTelemetrySdk.initialize();
    }
    WebServer server =
        WebServer.builder()
            .host("127.0.0.1")
            .port(0)
            .routing(routing -> routing.get("/", HelidonApp::handle))
            .build()
            .start();
    Workload.listensOn(server.port());
  }

  private static void handle(ServerRequest request, ServerResponse response) throws Exception {
    String traceParent = request.headers().get(HeaderNames.create("traceparent")).get();
    ServerSpan span = ServerSpan.of(tracer(), traceParent);
    try (Scope scope = span.context().makeCurrent()) {
      serve(Workload.traceId(traceParent));
    } finally {
      span.end();
    }
    try (Scope none = Context.root().makeCurrent()) {
      workload.serveNobody(1);
    }
    response.send();
  }

  private static void serve(String traceId) throws Exception {
    compute(traceId);
    others.submit(() -> compute(traceId)).get();
    LockSupport.parkNanos(100_000);
    workload.serve(traceId, 1);
  }

  private static Tracer tracer() {
    return GlobalOpenTelemetry.getTracer("company");
  }

  private static void compute(String traceId) {
    workload.serve(traceId, 1);
    Span inner = tracer().spanBuilder("inner").startSpan();
    try (Scope scope = inner.makeCurrent()) {
      workload.serve(traceId, 1);
      LockSupport.parkNanos(100_000);
      workload.serve(traceId, 1);
    } finally {
      inner.end();
    }
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.compatibility.micrometer;

import io.flamespan.testbed.compatibility.plain.PlainServer;
import io.flamespan.testbed.compatibility.workload.Workload;
import io.micrometer.context.ContextSnapshotFactory;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler.FirstMatchingCompositeObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.ReceiverContext;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import io.micrometer.tracing.handler.PropagatingReceiverTracingObservationHandler;
import io.micrometer.tracing.otel.bridge.EventPublishingContextWrapper;
import io.micrometer.tracing.otel.bridge.OtelCurrentTraceContext;
import io.micrometer.tracing.otel.bridge.OtelPropagator;
import io.micrometer.tracing.otel.bridge.OtelTracer;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.ContextStorage;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Observes its requests with Micrometer, which turns the observations into OpenTelemetry spans and
 * also wraps OpenTelemetry's context storage. With the argument {@code first}, it wraps the storage
 * before the plug-in does.
 */
public final class MicrometerApp implements PlainServer.Requests {
  private final Workload workload = new Workload();
  private final ExecutorService otherThreads = Executors.newFixedThreadPool(2);
  private final ContextSnapshotFactory snapshots = ContextSnapshotFactory.builder().build();
  private final ObservationRegistry registry = ObservationRegistry.create();

  private MicrometerApp(OpenTelemetry openTelemetry) {
    Tracer openTelemetryTracer = openTelemetry.getTracer("compatibility");
    OtelTracer tracer =
        new OtelTracer(openTelemetryTracer, new OtelCurrentTraceContext(), event -> {});
    registry
        .observationConfig()
        .observationHandler(
            new FirstMatchingCompositeObservationHandler(
                new PropagatingReceiverTracingObservationHandler<>(
                    tracer,
                    new OtelPropagator(openTelemetry.getPropagators(), openTelemetryTracer)),
                new DefaultTracingObservationHandler(tracer)));
  }

  /** Serves requests until the process is terminated. */
  public static void main(String[] arguments) throws IOException {
    boolean first = arguments.length > 0 && arguments[0].equals("first");
    if (first) {
      wrapContextStorage();
    }
    OpenTelemetry openTelemetry = AutoConfiguredOpenTelemetrySdk.initialize().getOpenTelemetrySdk();
    if (!first) {
      wrapContextStorage();
    }
    PlainServer.start(new MicrometerApp(openTelemetry));
  }

  private static void wrapContextStorage() {
    ContextStorage.addWrapper(new EventPublishingContextWrapper(event -> {}));
  }

  @Override
  public void serve(String traceParent) {
    String traceId = Workload.traceId(traceParent);
    ReceiverContext<Map<String, String>> request = new ReceiverContext<>(Map::get, Kind.SERVER);
    request.setCarrier(Map.of("traceparent", traceParent));
    Observation.createNotStarted("GET /", () -> request, registry).observe(() -> compute(traceId));
  }

  @Override
  public void serveNobody() {
    workload.serveNobody(2);
  }

  private void compute(String traceId) {
    workload.serve(traceId, 2);
    Observation.createNotStarted("inner", registry).observe(() -> workload.serve(traceId, 2));
    Runnable elsewhere = snapshots.captureAll().wrap(() -> workload.serve(traceId, 3));
    CompletableFuture.runAsync(elsewhere, otherThreads).join();
    workload.serve(traceId, 2);
  }
}

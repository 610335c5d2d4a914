/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.apps;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

/**
 * Simulates a web application that runs on threads of a server. The threads start before it and
 * outlive it. Prints the ids of its traces; the SDK prints the exported spans.
 */
public final class DeployedApp {
  private static final int TRANSACTIONS = 20;
  private static final long TRANSACTION_NANOS = 50_000_000;

  private DeployedApp() {}

  public static AutoCloseable start(String service, ExecutorService threads) throws Exception {
    OpenTelemetrySdk sdk =
        AutoConfiguredOpenTelemetrySdk.builder()
            .disableShutdownHook()
            .setServiceClassLoader(DeployedApp.class.getClassLoader())
            .addPropertiesSupplier(() -> Map.of("otel.service.name", service))
            .build()
            .getOpenTelemetrySdk();
    Tracer tracer = sdk.getTracer("test");
    List<Future<?>> all = new ArrayList<>();
    for (int i = 0; i < TRANSACTIONS; i++) {
      all.add(threads.submit(() -> transaction(tracer, service)));
    }
    for (Future<?> each : all) {
      each.get();
    }
    return sdk::close;
  }

  private static void transaction(Tracer tracer, String service) {
    Span span = tracer.spanBuilder(service).startSpan();
    System.out.println(service + " traces " + span.getSpanContext().getTraceId());
    try (Scope scope = span.makeCurrent()) {
      long begin = System.nanoTime();
      while (System.nanoTime() - begin < TRANSACTION_NANOS) {
        // keeps a CPU busy, so that samples hit this span
      }
    }
    span.end();
  }
}

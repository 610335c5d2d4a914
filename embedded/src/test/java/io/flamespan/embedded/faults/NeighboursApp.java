/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded.faults;

import io.flamespan.correlation.ProfilingCorrelation;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * An application that begins with another SDK and closes it, as a redeployment does, starts
 * processes, and works until ten of its spans have samples.
 */
final class NeighboursApp {
  private static final AttributeKey<List<String>> IDS =
      AttributeKey.stringArrayKey("elastic.profiler_stack_trace_ids");

  public static void main(String[] arguments) throws Exception {
    serve("first");
    serve("second");
    System.exit(0);
  }

  private static void serve(String name) throws Exception {
    InMemorySpanExporter exporter = InMemorySpanExporter.create();
    try (OpenTelemetrySdk sdk =
        AutoConfiguredOpenTelemetrySdk.builder()
            .disableShutdownHook()
            .addTracerProviderCustomizer(
                (tracing, unused) ->
                    tracing.addSpanProcessor(
                        ProfilingCorrelation.correlate(SimpleSpanProcessor.create(exporter))))
            .build()
            .getOpenTelemetrySdk()) {
      Tracer tracer = sdk.getTracer("test");
      int spans = 0;
      long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
      while (sampled(exporter) < 10 && System.nanoTime() < end) {
        Span span = tracer.spanBuilder("span").startSpan();
        try (Scope scope = span.makeCurrent()) {
          spin();
          if (spans % 20 == 0 && new ProcessBuilder("true").start().waitFor() != 0) {
            throw new IllegalStateException("a process failed");
          }
          spin();
        }
        span.end();
        spans++;
      }
      sdk.getSdkTracerProvider().forceFlush().join(1, TimeUnit.MINUTES);
      int lost = spans - exporter.getFinishedSpanItems().size();
      System.out.println(name + ": " + lost + " lost, samples: " + (sampled(exporter) > 0));
    }
  }

  private static long sampled(InMemorySpanExporter exporter) {
    return exporter.getFinishedSpanItems().stream()
        .filter(span -> span.getAttributes().get(IDS) != null)
        .count();
  }

  private static void spin() {
    long end = System.nanoTime() + 5_000_000;
    while (System.nanoTime() < end) {
      Thread.onSpinWait();
    }
  }

  private NeighboursApp() {}
}

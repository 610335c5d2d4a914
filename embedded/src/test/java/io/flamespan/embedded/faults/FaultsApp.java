/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded.faults;

import io.flamespan.correlation.ProfilingCorrelation;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.StreamHandler;

/**
 * An application whose embedded profiler may not be able to run. Waits until a log line tells, and
 * works for some spans.
 */
final class FaultsApp {
  static final int SPANS = 20;

  /** A property that has the application fill the directory for temporary files. */
  static final String FILLS_UP = "test.fills.up";

  private static final Logger LOGGER = Logger.getLogger("io.flamespan");

  public static void main(String[] arguments) throws Exception {
    CountDownLatch told = new CountDownLatch(1);
    CountDownLatch damaged = new CountDownLatch(1);
    Handler handler =
        new StreamHandler() {
          @Override
          public void publish(LogRecord line) {
            if (line.getMessage().matches("(The embedded profiler|Flamespan) is off.*")
                || line.getMessage().startsWith("The embedded profiler is on")) {
              told.countDown();
            }
            if (line.getMessage().contains("is the disk full?")) {
              damaged.countDown();
            }
          }
        };
    LOGGER.addHandler(handler);
    InMemorySpanExporter exporter = InMemorySpanExporter.create();
    OpenTelemetrySdk sdk =
        AutoConfiguredOpenTelemetrySdk.builder()
            .addTracerProviderCustomizer(
                (tracing, unused) ->
                    tracing.addSpanProcessor(
                        ProfilingCorrelation.correlate(SimpleSpanProcessor.create(exporter))))
            .build()
            .getOpenTelemetrySdk();
    System.out.println("told: " + told.await(1, TimeUnit.MINUTES));
    if (Boolean.getBoolean(FILLS_UP)) {
      fillUp();
    }
    Tracer tracer = sdk.getTracer("test");
    for (int i = 0; i < SPANS; i++) {
      Span span = tracer.spanBuilder("span").startSpan();
      try (Scope scope = span.makeCurrent()) {
        long end = System.nanoTime() + 2_000_000;
        while (System.nanoTime() < end) {
          Thread.onSpinWait();
        }
      }
      span.end();
    }
    sdk.getSdkTracerProvider().forceFlush().join(1, TimeUnit.MINUTES);
    if (Boolean.getBoolean(FILLS_UP)) {
      System.out.println("damaged: " + damaged.await(1, TimeUnit.MINUTES));
    }
    System.out.println("exported: " + exporter.getFinishedSpanItems().size());
    System.exit(0);
  }

  private static void fillUp() {
    Path file = Path.of(System.getProperty("java.io.tmpdir"), "other");
    try (OutputStream other = Files.newOutputStream(file)) {
      while (true) {
        other.write(new byte[4096]);
      }
    } catch (IOException e) {
      System.out.println("full: " + e.getMessage());
    }
  }

  private FaultsApp() {}
}

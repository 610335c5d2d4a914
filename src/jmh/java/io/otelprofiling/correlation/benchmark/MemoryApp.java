/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.benchmark;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Exports one span and prints a line. The first byte that it reads makes it serve requests if it is
 * an {@code s}; the next one makes it collect garbage and print the live heap. It uses no class of
 * the plug-in, so it also runs without it.
 */
final class MemoryApp {
  private static final long NANOS_BETWEEN_REQUESTS = 2_000_000;
  private static final int COLLECTIONS = 3;

  public static void main(String[] arguments) throws Exception {
    OpenTelemetrySdk sdk =
        AutoConfiguredOpenTelemetrySdk.builder()
            .disableShutdownHook()
            .build()
            .getOpenTelemetrySdk();
    Tracer tracer = sdk.getTracer("memory");
    serve(tracer);
    sdk.getSdkTracerProvider().forceFlush().join(10, TimeUnit.SECONDS);
    System.out.println(StartUp.ANSWER);
    if (read() == 's') {
      Thread requests = new Thread(() -> serveForever(tracer));
      requests.setDaemon(true);
      requests.start();
    }
    read();
    System.out.println(liveHeap());
    read();
    System.exit(0);
  }

  private static int read() throws IOException {
    return System.in.read();
  }

  private static void serveForever(Tracer tracer) {
    long next = System.nanoTime();
    while (true) {
      serve(tracer);
      next += NANOS_BETWEEN_REQUESTS;
      LockSupport.parkNanos(next - System.nanoTime());
    }
  }

  private static void serve(Tracer tracer) {
    Span root = tracer.spanBuilder("GET /item").startSpan();
    try (Scope inRoot = root.makeCurrent()) {
      Span child = tracer.spanBuilder("SELECT").startSpan();
      try (Scope inChild = child.makeCurrent()) {
        child.setAttribute("in", inRoot == inChild);
      }
      child.end();
    }
    root.end();
  }

  private static long liveHeap() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
      Runtime runtime = Runtime.getRuntime();
      least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
    }
    return least;
  }

  private MemoryApp() {}
}

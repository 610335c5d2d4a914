/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.benchmark;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Logger;

/**
 * Exports one span, logs and prints a line, and then obeys the bytes that it reads: see {@link
 * #obey}. It uses no class of the plug-in, so it also runs without it.
 */
final class MemoryApp {
  static final char USE_HEAP = 'u';
  static final char SERVE = 's';
  static final char PRINT_LIVE_HEAP = 'h';

  private static final long NANOS_BETWEEN_REQUESTS = 2_000_000;
  private static final int COLLECTIONS = 3;
  private static final int GARBAGE = 10_000;

  public static void main(String[] arguments) throws Exception {
    OpenTelemetrySdk sdk =
        AutoConfiguredOpenTelemetrySdk.builder()
            .disableShutdownHook()
            .build()
            .getOpenTelemetrySdk();
    Tracer tracer = sdk.getTracer("memory");
    serve(tracer);
    sdk.getSdkTracerProvider().forceFlush().join(10, TimeUnit.SECONDS);
    Logger.getLogger(MemoryApp.class.getName()).info("started");
    System.out.println(StartUp.ANSWER);
    for (int command = System.in.read(); command >= 0; command = System.in.read()) {
      obey(command, tracer);
      System.out.println(StartUp.ANSWER);
    }
    System.exit(0);
  }

  private static void obey(int command, Tracer tracer) {
    switch (command) {
      case USE_HEAP:
        useHeap();
        break;
      case SERVE:
        Thread requests = new Thread(() -> serveForever(tracer));
        requests.setDaemon(true);
        requests.start();
        break;
      case PRINT_LIVE_HEAP:
        System.out.println(liveHeap());
        break;
      default:
        throw new IllegalArgumentException("unknown command " + command);
    }
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

  /** Fills the young generation several times, as any application does that has worked. */
  private static void useHeap() {
    long allocated = 0;
    while (allocated < Runtime.getRuntime().maxMemory()) {
      allocated += new byte[GARBAGE].length;
    }
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

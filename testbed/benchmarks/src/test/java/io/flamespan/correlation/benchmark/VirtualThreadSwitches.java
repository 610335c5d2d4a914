/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.benchmark;

import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.VirtualThreadFactory;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.LongAdder;

/**
 * How often virtual threads on two carriers are unmounted and mounted again, all with a current
 * trace.
 */
final class VirtualThreadSwitches {
  private static final int WARM_UP_MILLIS = 4_000;
  private static final int MEASURED_MILLIS = 4_000;

  private VirtualThreadSwitches() {}

  static List<Figure> measure(int threads) throws IOException, InterruptedException {
    String id = "virtual-" + threads;
    if (Runtime.version().feature() < 21) {
      return List.of(Figure.notMeasured(id, "virtual threads need Java 21"));
    }
    String switchedOff = "-D" + CorrelatedSdk.PREFIX + "virtual.threads.enabled=false";
    double without = perSecond(threads, ChildApp.enabled("false"));
    double off = perSecond(threads, switchedOff);
    double on = perSecond(threads, ChildApp.enabled("true"));
    String detail =
        String.format(
            Locale.ROOT,
            "round trips; %,.0f/s with virtual.threads.enabled=false, %,.0f/s without the plug-in",
            off,
            without);
    return List.of(Figure.of(id, on, "/s", detail));
  }

  private static double perSecond(int threads, String setting)
      throws IOException, InterruptedException {
    List<String> jvmArguments =
        List.of("-Djdk.virtualThreadScheduler.parallelism=2", "-Xmx1g", setting);
    try (ChildApp app =
        ChildApp.start(
            List.of(), jvmArguments, VirtualThreadSwitches.class, String.valueOf(threads))) {
      return Double.parseDouble(app.readLine());
    }
  }

  /** Runs the application. */
  public static void main(String[] arguments) throws InterruptedException {
    Tracer tracer = MeasuredSdk.start(span -> {}).getTracer("test");
    ThreadFactory virtual = VirtualThreadFactory.create();
    LongAdder roundTrips = new LongAdder();
    for (int i = 0; i < Integer.parseInt(arguments[0]); i++) {
      virtual.newThread(() -> yieldForever(tracer, roundTrips)).start();
    }
    Thread.sleep(WARM_UP_MILLIS);
    long before = roundTrips.sum();
    long begin = System.nanoTime();
    Thread.sleep(MEASURED_MILLIS);
    double perSecond = (roundTrips.sum() - before) * 1e9 / (System.nanoTime() - begin);
    System.out.println(perSecond);
    System.exit(0);
  }

  private static void yieldForever(Tracer tracer, LongAdder roundTrips) {
    Span span = tracer.spanBuilder("span").startSpan();
    try (Scope scope = span.makeCurrent()) {
      while (true) {
        Thread.yield();
        roundTrips.increment();
      }
    }
  }
}

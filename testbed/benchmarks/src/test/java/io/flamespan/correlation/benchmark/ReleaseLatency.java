/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.benchmark;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.trace.ReadableSpan;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * How much longer than the samples delay ended local root spans wait, measured from just before the
 * call that ends a span until the exporting processor receives it. "busy" adds one spinning thread
 * per CPU.
 */
final class ReleaseLatency {
  private static final int DELAY_MILLIS = 20;
  private static final int WARM_UP_SPANS = 300;
  private static final int SPANS = 2_000;
  private static final long LONGEST_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final int LONGEST_WAIT_MILLIS = 5_000;

  private final Map<String, Long> ends = new ConcurrentHashMap<>();
  private final Map<String, Long> arrivals = new ConcurrentHashMap<>();

  private ReleaseLatency() {}

  static List<Figure> measure(String load) throws IOException, InterruptedException {
    try (ChildApp app =
        ChildApp.start(List.of(), List.of(ChildApp.enabled("true")), ReleaseLatency.class, load)) {
      long[] sorted =
          Stream.of(app.readLine().split(" ")).mapToLong(Long::parseLong).sorted().toArray();
      return List.of(figure(load, "median", sorted, 0.5), figure(load, "p99", sorted, 0.99));
    }
  }

  private static Figure figure(String load, String name, long[] sorted, double quantile) {
    return Figure.of(
        "latency-" + load + "-" + name,
        sorted[(int) (sorted.length * quantile)] / 1e6,
        "ms",
        "above the delay of " + DELAY_MILLIS + " ms, " + sorted.length + " spans");
  }

  /** Runs the application. */
  public static void main(String[] arguments) throws InterruptedException {
    if (arguments[0].equals("busy")) {
      for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
        startBusyThread();
      }
    }
    new ReleaseLatency().run();
  }

  private static void startBusyThread() {
    Thread busy =
        new Thread(
            () -> {
              while (true) {
                Thread.onSpinWait();
              }
            });
    busy.setDaemon(true);
    busy.start();
  }

  private void run() throws InterruptedException {
    OpenTelemetrySdk sdk = MeasuredSdk.start(this::arrived);
    MeasuredSdk.delayBy(DELAY_MILLIS, sdk);
    endSpans(sdk.getTracer("test"), WARM_UP_SPANS);
    endSpans(sdk.getTracer("test"), SPANS);
    System.out.println(
        String.join(
            " ",
            ends.keySet().stream()
                .map(id -> String.valueOf(arrivals.get(id) - ends.get(id) - delayNanos()))
                .toList()));
    System.exit(0);
  }

  private static long delayNanos() {
    return TimeUnit.MILLISECONDS.toNanos(DELAY_MILLIS);
  }

  private void endSpans(Tracer tracer, int count) throws InterruptedException {
    ends.clear();
    arrivals.clear();
    for (int i = 0; i < count; i++) {
      LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(LONGEST_INTERVAL_NANOS));
      Span span = tracer.spanBuilder("root").setNoParent().startSpan();
      ends.put(span.getSpanContext().getSpanId(), System.nanoTime());
      span.end();
    }
    for (int i = 0; i < LONGEST_WAIT_MILLIS && arrivals.size() < count; i++) {
      Thread.sleep(1);
    }
    if (arrivals.size() != count) {
      throw new IllegalStateException(arrivals.size() + " of " + count + " spans arrived");
    }
  }

  private void arrived(ReadableSpan span) {
    long now = System.nanoTime();
    arrivals.put(span.getSpanContext().getSpanId(), now);
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.benchmark;

import io.flamespan.correlation.testing.VirtualThreadFactory;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;

/**
 * Memory that the plug-in adds to live virtual threads, on the heap and outside it. Each thread
 * sleeps while a span is current. Threads without a span show which part of it the JVM needs to
 * report mounts of virtual threads to the plug-in.
 */
final class LiveVirtualThreads {
  private static final int COLLECTIONS = 5;

  private static final List<Thread> ALIVE = new ArrayList<>(); // keeps them reachable

  private LiveVirtualThreads() {}

  static List<Figure> measure(int threads) throws IOException, InterruptedException {
    String id = "virtual-memory-" + threads;
    if (Runtime.version().feature() < 21) {
      return List.of(Figure.notMeasured(id, "virtual threads need Java 21"));
    }
    Memory without = grown("false", threads, true);
    Memory with = grown("true", threads, true);
    Memory noSpans = grown("false", threads, false);
    Memory reported = grown("true", threads, false);
    String beside =
        String.format(
            Locale.ROOT,
            "per live thread with a current span; %.0f B of it even without a span",
            (double) (reported.beside - noSpans.beside) / threads);
    return List.of(
        Figure.of(
            id + "-heap",
            (double) (with.heap - without.heap) / threads,
            "B",
            "per live thread with a current span, including its local root"),
        Figure.of(id + "-native", (double) (with.beside - without.beside) / threads, "B", beside));
  }

  /** The growth in bytes, on the heap and outside it. */
  private record Memory(long heap, long beside) {}

  private static Memory grown(String mode, int threads, boolean spans)
      throws IOException, InterruptedException {
    List<String> jvmArguments =
        List.of(
            "-Xms1g",
            "-Xmx1g",
            "-Xint", // compiled frames have other sizes, from random times on
            "-XX:+AlwaysPreTouch",
            "-XX:+UseSerialGC",
            ChildApp.enabled(mode));
    try (ChildApp app =
        ChildApp.start(
            List.of(),
            jvmArguments,
            LiveVirtualThreads.class,
            String.valueOf(threads),
            String.valueOf(spans))) {
      String[] fields = app.readLine().split(" ");
      return new Memory(Long.parseLong(fields[0]), Long.parseLong(fields[1]));
    }
  }

  /** Runs the application. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    Tracer tracer = MeasuredSdk.start(span -> {}).getTracer("test");
    // The first threads initialize what all others share.
    start(tracer, 100, true);
    long heap = usedHeap();
    long resident = residentBytes();
    start(tracer, Integer.parseInt(arguments[0]), Boolean.parseBoolean(arguments[1]));
    // All heap pages are touched at the start, so further growth of resident memory is outside the
    // heap.
    long residentAfter = residentBytes();
    System.out.println((usedHeap() - heap) + " " + (residentAfter - resident));
    System.exit(0);
  }

  private static void start(Tracer tracer, int threads, boolean spans) throws InterruptedException {
    ThreadFactory virtual = VirtualThreadFactory.create();
    CountDownLatch started = new CountDownLatch(threads);
    for (int i = 0; i < threads; i++) {
      Thread thread = virtual.newThread(() -> sleep(spans ? tracer : null, started));
      ALIVE.add(thread);
      thread.start();
    }
    started.await();
  }

  private static void sleep(Tracer tracer, CountDownLatch started) {
    if (tracer == null) {
      started.countDown();
      LockSupport.park();
      return;
    }
    Span span = tracer.spanBuilder("span").startSpan();
    try (Scope scope = span.makeCurrent()) {
      started.countDown();
      while (true) {
        LockSupport.park();
      }
    }
  }

  private static long usedHeap() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
      Runtime runtime = Runtime.getRuntime();
      least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
    }
    return least;
  }

  private static long residentBytes() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> 1024 * Long.parseLong(line.replaceAll("\\D", "")))
        .findFirst()
        .orElseThrow();
  }
}

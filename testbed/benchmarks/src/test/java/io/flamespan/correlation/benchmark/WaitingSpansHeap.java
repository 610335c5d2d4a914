/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.benchmark;

import io.flamespan.correlation.testing.CorrelatedSdk;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.trace.ReadableSpan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Heap that ended local root spans occupy while they wait, in addition to the spans themselves: the
 * same application keeps the spans in an array, without and with the plug-in. Also measures how
 * fast all of them are released at once.
 */
final class WaitingSpansHeap {
  private static final int LONG_DELAY_MILLIS = 60_000;
  private static final int LONGEST_RELEASE_SECONDS = 20;
  private static final int COLLECTIONS = 5;
  private static final String PLAIN = "plain";
  private static final String WITH_ATTRIBUTES = "attributes";

  private volatile int exported;
  private long exportedIds;

  private WaitingSpansHeap() {}

  static List<Figure> measure(int spans) throws IOException, InterruptedException {
    Heap without = heap("false", spans, PLAIN);
    Heap with = heap("true", spans, PLAIN);
    Heap attributes = heap("false", spans, WITH_ATTRIBUTES);
    double bytesPerSpan = (double) (with.full - without.full) / spans;
    double grownPerSpan = (double) (with.full - with.empty - without.full + without.empty) / spans;
    String detail =
        String.format(
            Locale.ROOT,
            "%.1f B of it added by the spans, %,d B in total before, for the empty queue of %,d;"
                + " the span itself: %.0f B, %.0f B with the attributes of a request",
            grownPerSpan,
            with.empty - without.empty,
            spans,
            without.bytesOf(spans),
            attributes.bytesOf(spans));
    return List.of(
        Figure.of("waiting-" + spans, bytesPerSpan, "B/span", detail),
        Figure.of(
            "waiting-" + spans + "-release",
            spans * 1e9 / with.releaseNanos,
            "spans/s",
            spans + " at once, none lost, in " + with.releaseNanos / 1_000_000 + " ms"));
  }

  private record Heap(long empty, long full, long releaseNanos) {
    double bytesOf(int spans) {
      return (double) (full - empty) / spans;
    }
  }

  private static Heap heap(String mode, int spans, String kind)
      throws IOException, InterruptedException {
    // A full collection of this collector leaves no garbage, and it counts bytes instead of
    // regions.
    List<String> jvmArguments = new ArrayList<>(List.of("-Xmx6g", "-XX:+UseSerialGC"));
    jvmArguments.add(ChildApp.enabled(mode));
    jvmArguments.add("-D" + CorrelatedSdk.PREFIX + "buffer.size=" + spans);
    try (ChildApp app =
        ChildApp.start(
            List.of(), jvmArguments, WaitingSpansHeap.class, mode, String.valueOf(spans), kind)) {
      String[] fields = app.readLine().split(" ");
      return new Heap(
          Long.parseLong(fields[0]), Long.parseLong(fields[1]), Long.parseLong(fields[2]));
    }
  }

  /** Runs the application. */
  public static void main(String[] arguments) throws InterruptedException {
    boolean waiting = Boolean.parseBoolean(arguments[0]);
    boolean attributes = arguments[2].equals(WITH_ATTRIBUTES);
    new WaitingSpansHeap().run(waiting, attributes, new Span[Integer.parseInt(arguments[1])]);
  }

  private void run(boolean waiting, boolean attributes, Span[] spans) throws InterruptedException {
    OpenTelemetrySdk sdk = MeasuredSdk.start(this::count);
    if (waiting) {
      MeasuredSdk.delayBy(LONG_DELAY_MILLIS, sdk);
    }
    long empty = usedHeap();
    Tracer tracer = sdk.getTracer("test");
    long ids = 0;
    for (int i = 0; i < spans.length; i++) {
      spans[i] = tracer.spanBuilder("root").setNoParent().startSpan();
      if (attributes) {
        addAttributes(spans[i], i);
      }
      spans[i].end();
    }
    long full = usedHeap();
    if (exported != (waiting ? 0 : spans.length)) {
      throw new IllegalStateException(exported + " spans were exported without waiting");
    }
    long releaseNanos = waiting ? release(sdk, spans.length) : 0;
    for (Span span : spans) {
      ids += id(span);
    }
    if (exported != spans.length || exportedIds != ids) {
      throw new IllegalStateException(exported + " of " + spans.length + " spans, or others");
    }
    System.out.println(empty + " " + full + " " + releaseNanos);
    System.exit(0);
  }

  /**
   * Adds the attributes that the Java agent sets. Strings from the request are new objects for each
   * span.
   */
  private static void addAttributes(Span span, int request) {
    span.setAttribute("http.request.method", "GET");
    span.setAttribute("http.response.status_code", 200);
    span.setAttribute("url.scheme", "http");
    span.setAttribute("url.path", "/item/" + request);
    span.setAttribute("network.protocol.version", "1.1");
    span.setAttribute("network.peer.address", new String("127.0.0.1"));
    span.setAttribute("network.peer.port", request % 32_768);
    span.setAttribute("client.address", new String("127.0.0.1"));
    span.setAttribute("server.address", new String("localhost"));
    span.setAttribute("server.port", 8080);
    span.setAttribute("user_agent.original", new String("benchmark/1.0"));
  }

  private long release(OpenTelemetrySdk sdk, int spans) throws InterruptedException {
    long begin = System.nanoTime();
    long deadline = begin + TimeUnit.SECONDS.toNanos(LONGEST_RELEASE_SECONDS);
    MeasuredSdk.delayBy(0, sdk);
    while (exported < spans && System.nanoTime() < deadline) {
      Thread.sleep(1);
    }
    return System.nanoTime() - begin;
  }

  // Called by only one thread: the application's or the plug-in's.
  @SuppressWarnings("NonAtomicOperationOnVolatileField")
  private void count(ReadableSpan span) {
    exportedIds += Long.parseUnsignedLong(span.getSpanContext().getSpanId(), 16);
    exported++;
  }

  private static long id(Span span) {
    return Long.parseUnsignedLong(span.getSpanContext().getSpanId(), 16);
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
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.benchmark;

import io.flamespan.correlation.testing.VirtualThreadFactory;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How often a profiler finds a record invalid because it interrupted the thread in the middle of a
 * change. The measured threads only switch scopes; the stand-in profiler stops them at random
 * moments, not at system calls.
 */
final class InvalidRecords {
  private static final int TRACED_SAMPLES = 25_000;
  private static final long WARM_UP_NANOS = TimeUnit.SECONDS.toNanos(4);
  private static final String PLATFORM = "switcher";
  private static final String CARRIER = "ForkJoinPool-1"; // carriers have names with this prefix
  private static final int SWITCHES = 100_000;

  private final Tracer tracer;
  private final Context root;
  private final Context child;
  private final Context otherTrace;

  private InvalidRecords(Tracer tracer) {
    this.tracer = tracer;
    root = newContext(tracer, Context.root());
    child = newContext(tracer, root);
    otherTrace = newContext(tracer, Context.root());
  }

  private static Context newContext(Tracer tracer, Context parent) {
    Span span = tracer.spanBuilder("span").setParent(parent).startSpan();
    return parent.with(span);
  }

  static List<Figure> measure(String traces) throws IOException, InterruptedException {
    return measure("invalid-" + traces, traces, PLATFORM);
  }

  static List<Figure> measureOnVirtualThread(String traces)
      throws IOException, InterruptedException {
    String id = "invalid-" + traces + "-virtual";
    return Runtime.version().feature() < 21
        ? List.of(Figure.notMeasured(id, "virtual threads need Java 21"))
        : measure(id, traces, CARRIER);
  }

  private static List<Figure> measure(String id, String traces, String threadName)
      throws IOException, InterruptedException {
    String standIn = System.getProperty("test.stand-in");
    if (standIn == null) {
      return List.of(Figure.notMeasured(id, "test.stand-in does not name a stand-in profiler"));
    }
    Path summary = Files.createTempFile("summary", ".json");
    List<String> sampled =
        List.of(
            standIn,
            "--protocol",
            "both",
            "--rate",
            "0",
            "--thread-name",
            threadName,
            "--no-stacks",
            "--no-registration",
            "--retry-null",
            "--samples",
            String.valueOf(TRACED_SAMPLES),
            "--summary",
            summary.toString(),
            "--");
    try (ChildApp app =
        ChildApp.start(
            sampled, List.of(ChildApp.enabled("true")), InvalidRecords.class, traces, threadName)) {
      int status = app.awaitExit();
      String json = Files.readString(summary);
      if (status != 0 || counter(json, "traced") < TRACED_SAMPLES) {
        throw new IOException("the stand-in profiler ended with " + status + ": " + json);
      }
      return List.of(
          invalid(id, json, "", "Elastic's record"), invalid(id, json, "otel_", "thread context"));
    } finally {
      Files.delete(summary);
    }
  }

  private static Figure invalid(String id, String json, String prefix, String record) {
    // A thread context that shows no trace counts as invalid. Elastic's record says how often that
    // happened.
    long none = prefix.isEmpty() ? 0 : counter(json, "no_trace") + counter(json, "no_pointer");
    long invalid = Math.max(0, counter(json, prefix + "invalid") - none);
    long samples = invalid + counter(json, prefix + "traced");
    String detail = record + ", " + invalid + " of " + samples + " samples";
    return Figure.of(id, 100.0 * invalid / samples, "%", detail);
  }

  private static long counter(String json, String name) {
    Matcher value = Pattern.compile("\"" + name + "\": (\\d+)").matcher(json);
    return value.find() ? Long.parseLong(value.group(1)) : 0;
  }

  /** Runs the application. */
  public static void main(String[] arguments) throws InterruptedException {
    InvalidRecords app = new InvalidRecords(MeasuredSdk.start(span -> {}).getTracer("test"));
    Runnable switches = app.switches(arguments[0]);
    long begin = System.nanoTime();
    while (System.nanoTime() - begin < WARM_UP_NANOS) {
      switches.run();
    }
    // The profiler selects threads by name. No thread had this name during the warm-up.
    Runnable task = () -> runForever(switches);
    Thread thread =
        arguments[1].equals(PLATFORM)
            ? new Thread(task, PLATFORM)
            : VirtualThreadFactory.create().newThread(task);
    thread.start();
    thread.join(); // a virtual thread does not keep the JVM alive
  }

  private Runnable switches(String traces) {
    switch (traces) {
      case "one-trace":
        return this::switchInOneTrace;
      case "two-traces":
        return this::switchBetweenTraces;
      default:
        return this::switchBetweenNewTraces;
    }
  }

  private static void runForever(Runnable switches) {
    while (true) {
      switches.run();
    }
  }

  private void switchInOneTrace() {
    try (Scope rootScope = root.makeCurrent()) {
      for (int i = 0; i < SWITCHES; i++) {
        try (Scope childScope = child.makeCurrent()) {
          // only switches scopes
        }
      }
    }
  }

  private void switchBetweenTraces() {
    try (Scope rootScope = root.makeCurrent()) {
      for (int i = 0; i < SWITCHES; i++) {
        try (Scope otherScope = otherTrace.makeCurrent()) {
          // only switches scopes
        }
      }
    }
  }

  private void switchBetweenNewTraces() {
    try (Scope rootScope = root.makeCurrent()) {
      for (int i = 0; i < SWITCHES; i++) {
        Span other = tracer.spanBuilder("span").setNoParent().startSpan();
        try (Scope otherScope = other.makeCurrent()) {
          // only switches scopes
        } finally {
          other.end();
        }
      }
    }
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.beside;

import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdkBuilder;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import javax.management.ObjectName;

/**
 * The application of a {@link Scenario}, in its own JVM. Prints {@code ready}, then {@code ended}
 * when all spans have ended, and its numbers as {@code name=value}. Without the plug-in on the
 * class path, it is the same application with the SDK alone.
 */
public final class Application {
  // Without a pause, the SDK alone answers most flushes with the result of the last one.
  private static final long WORK_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

  private final Scenario scenario = Scenario.of(System.getProperty("beside.scenario"));
  private final boolean hasPlugin = Boolean.getBoolean("beside.plugin");
  private final Backend first = new Backend(scenario, "");
  private final Backend second = new Backend(scenario, "second.");
  private final BufferedReader input =
      new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
  private final AtomicLong ended = new AtomicLong();
  private SdkTracerProvider tracing; // null under the agent
  private final Tracer tracer;

  private Application() {
    if (scenario.has("agent")) {
      tracer = GlobalOpenTelemetry.getTracer("beside");
      return;
    }
    AutoConfiguredOpenTelemetrySdkBuilder builder = AutoConfiguredOpenTelemetrySdk.builder();
    if (scenario.text("processor").equals("declarative")) {
      // a file says everything
    } else if (scenario.text("processor").isEmpty()) {
      builder.addSpanExporterCustomizer(
          (exporter, config) -> scenario.has("http") ? exporter : first);
    } else {
      builder.addTracerProviderCustomizer(
          (provider, config) -> {
            SpanExporter exporter = scenario.has("http") ? otlp() : first;
            for (SpanProcessor each : Processors.of(scenario.text("processor"), exporter, second)) {
              provider.addSpanProcessor(correlate(each));
            }
            return provider;
          });
    }
    tracing = builder.build().getOpenTelemetrySdk().getSdkTracerProvider();
    tracer = tracing.get("beside");
  }

  private static SpanExporter otlp() {
    String endpoint = System.getProperty("otel.exporter.otlp.endpoint");
    return OtlpHttpSpanExporter.builder().setEndpoint(endpoint + "/v1/traces").build();
  }

  /** By reflection, because the SDK alone runs without the plug-in's jar. */
  private SpanProcessor correlate(SpanProcessor processor) {
    try {
      return !hasPlugin
          ? processor
          : (SpanProcessor)
              Class.forName("io.flamespan.correlation.ProfilingCorrelation")
                  .getMethod("correlate", SpanProcessor.class)
                  .invoke(null, processor);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  static final String WARM_UP = "warm-up"; // the name of its spans

  public static void main(String[] arguments) throws Exception {
    Application application = new Application();
    System.out.println("ready");
    application.input.readLine(); // when the profiler is
    if (application.scenario.number("delay") > 0) {
      await(
          10, () -> application.status("samples.delay.ms") == application.scenario.number("delay"));
    }
    if (application.scenario.has("http")
        && !application.scenario.has("sampled")
        && application.tracing != null) {
      application.warmUp();
    }
    application.load();
    application.print("ended", application.ended.get());
    application.print("early", application.status("spans.released.early"));
    application.end();
    application.print("exported", application.first.spans.get());
    application.print("requests", application.first.requests.get());
    application.print("roots", application.first.roots.get());
    application.print("withIds", application.first.rootsWithIds.get());
    application.print("second", application.second.spans.get());
    System.out.println("closed");
    Runtime.getRuntime().halt(0); // nothing else may export
  }

  private void print(String name, long value) {
    System.out.println(name + "=" + value);
  }

  private static boolean await(long seconds, BooleanSupplier condition) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (!condition.getAsBoolean() && System.nanoTime() - end < 0) {
      LockSupport.parkNanos(5_000_000);
    }
    return condition.getAsBoolean();
  }

  /** Returns a number of the plug-in's status, or -1 without the plug-in. */
  private long status(String key) {
    if (!hasPlugin) {
      return -1;
    }
    try {
      ObjectName name = new ObjectName("io.flamespan.correlation:type=Status");
      return ((Number) ManagementFactory.getPlatformMBeanServer().getAttribute(name, key))
          .longValue();
    } catch (Exception e) {
      return -1; // not registered yet
    }
  }

  /**
   * A connection to the backend takes longer than all that follows. After a pause, no flush shares
   * the result of the one before, so each is a request.
   */
  private void warmUp() {
    for (int i = 0; i < 20; i++) {
      endRoot(WARM_UP, 0); // which no processor drops
      forceFlush(10);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
    ended.set(0);
  }

  private void load() throws Exception {
    switch (scenario.text("load")) {
      case "roots":
        endRoots(() -> {});
        break;
      case "flush":
        flushInSlices();
        break;
      case "flush-unawaited":
        List<CompletableResultCode> results = new ArrayList<>();
        endRoots(() -> results.add(tracing.forceFlush()));
        LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
        print("open", results.stream().filter(result -> !result.isDone()).count());
        print("flushed", forceFlush(10));
        break;
      case "flush-around":
        Thread flushing = new Thread(this::flushForEver);
        flushing.setDaemon(true);
        flushing.start();
        endRoots(() -> {});
        break;
      default:
        throw new IllegalArgumentException(scenario.text("load"));
    }
  }

  private long forceFlush(long seconds) {
    return tracing.forceFlush().join(seconds, TimeUnit.SECONDS).isSuccess() ? 1 : 0;
  }

  private void flushForEver() {
    while (true) {
      forceFlush(10);
    }
  }

  private void endRoot(String name, long number) {
    ended.incrementAndGet();
    Span root =
        tracer.spanBuilder(name).setNoParent().setAttribute(Processors.NUMBER, number).startSpan();
    if (scenario.has("sampled")) {
      System.out.println(
          "root " + root.getSpanContext().getTraceId() + " " + root.getSpanContext().getSpanId());
    }
    for (int i = 0; i < scenario.number("children"); i++) {
      tracer.spanBuilder("child").setParent(Context.root().with(root)).startSpan().end();
    }
    root.end();
  }

  private void endRoots(Runnable afterEach) {
    long due = System.nanoTime();
    long pauseNanos = scenario.has("rate") ? 1_000_000_000L / scenario.number("rate") : 0;
    for (int i = 0; i < scenario.number("roots"); i++) {
      for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
        LockSupport.parkNanos(left);
      }
      endRoot("root", i);
      afterEach.run();
      due += pauseNanos;
      if (scenario.has("http")) { // whose sender refuses bursts
        due = System.nanoTime() + pauseNanos;
      }
    }
  }

  /** Each line of the input is the length of a slice, in milliseconds. */
  private void flushInSlices() throws IOException, InterruptedException {
    for (String line = input.readLine(); !line.isEmpty(); line = input.readLine()) {
      long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(Long.parseLong(line));
      AtomicLong flushes = new AtomicLong();
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < scenario.number("threads"); i++) {
        Thread thread =
            new Thread(
                () -> {
                  while (System.nanoTime() - end < 0) {
                    LockSupport.parkNanos(WORK_NANOS);
                    endRoot("root", 0);
                    flushes.addAndGet(forceFlush(10));
                  }
                });
        threads.add(thread);
        thread.start();
      }
      for (Thread thread : threads) {
        thread.join();
      }
      print("flushes", flushes.get());
      print("slices", 1);
    }
  }

  private void end() throws Exception {
    System.out.println("closing");
    switch (scenario.text("end")) {
      case "flush":
        print("flushed", forceFlush(30));
        break;
      case "close":
        CompletableResultCode closed = tracing.shutdown().join(50, TimeUnit.SECONDS);
        print("flushed", closed.isSuccess() ? 1 : 0);
        break;
      case "exit":
        System.exit(0); // the SDK's shutdown hook closes it
        break;
      case "wait":
      case "pause":
        if (scenario.has("http")) {
          input.readLine(); // until the backend has everything, or nothing comes any more
        } else {
          await(15, () -> first.spans.get() >= ended.get());
        }
        break;
      default:
        throw new IllegalArgumentException(scenario.text("end"));
    }
  }
}

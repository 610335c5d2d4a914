/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.chaos;

import io.flamespan.correlation.ProfilingCorrelation;
import io.flamespan.embedded.EmbeddedAsyncProfiler;
import io.flamespan.testbed.chaos.Requests.Request;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * Serves requests that a profiler within the process may not take well. Arguments: the minutes, and
 * what to sample, as in the setting. Fails if a span is lost, or has a stack trace of another one.
 */
public final class EmbeddedChaos {
  private static final String PREFIX = "flamespan.";
  private static final int VIRTUAL_THREADS = 50;
  private static final long MAX_START_NANOS = 60_000_000_000L;
  private static final long MAX_END_NANOS = 60_000_000_000L;

  // The plug-in registers its bean only where somebody has asked for these.
  private static final MBeanServer BEANS = ManagementFactory.getPlatformMBeanServer();

  public static void main(String[] arguments) throws Exception {
    long nanos = (long) (Double.parseDouble(arguments[0]) * 60e9);
    Ledger ledger = new Ledger();
    EmbeddedAsyncProfiler.addListener(ledger);
    OpenTelemetrySdk sdk = sdk(ledger, arguments[1]);
    awaitProfiler();
    Requests requests = new Requests(sdk.getTracer("chaos"), ledger);
    run(requests, System.nanoTime() + nanos);
    String status = status("embedded.profiler");
    long end = System.nanoTime() + MAX_END_NANOS;
    boolean areCounted = !arguments[1].contains("wall"); // one wait may be several samples
    long joined;
    do { // on a busy machine, a flush may end before the last samples are collected
      sdk.getSdkTracerProvider().forceFlush().join(10, TimeUnit.SECONDS);
      joined = count("joined") + count("broken") - count("late") - ledger.others.get();
    } while (areCounted && ledger.ids.get() != joined && System.nanoTime() < end);
    String counts = "";
    for (String name :
        new String[] {
          "samples",
          "skipped",
          "joined",
          "broken",
          "not.sampled",
          "without.span",
          "unjoined",
          "late"
        }) {
      counts += ", " + name + " " + count(name);
    }
    sdk.close();
    long lost = requests.spans.get() - ledger.spans.get();
    System.out.println("Java " + System.getProperty("java.version") + ", " + status);
    System.out.println("spans " + requests.spans + ", lost " + lost + counts);
    System.out.println(
        "ids on spans " + ledger.ids + ", right " + ledger.right + ", wrong " + ledger.wrong);
    System.out.println("samples of other kinds " + ledger.others + ", judged " + ledger.judged);
    System.out.println("waits with who held the lock " + ledger.held);
    boolean passed =
        lost == 0
            && ledger.wrong.get() == 0
            && ledger.right.get() > 0
            && (!areCounted || ledger.ids.get() == joined)
            && (!arguments[1].contains("holders") || ledger.held.get() > 0)
            && status.startsWith("on: ");
    System.out.println(passed ? "passed" : "FAILED");
    System.exit(passed ? 0 : 1); // pools may have threads that are no daemons
  }

  private static OpenTelemetrySdk sdk(Ledger ledger, String events) {
    Map<String, String> settings = new HashMap<>();
    settings.put(PREFIX + "embedded.profiler", "on");
    settings.put(PREFIX + "embedded.profiler.period", "5ms");
    settings.put(PREFIX + "embedded.profiler.events", events);
    settings.put(PREFIX + "max.stack.trace.ids", "100000");
    for (String signal : new String[] {"traces", "metrics", "logs"}) {
      settings.put("otel." + signal + ".exporter", "none");
    }
    return AutoConfiguredOpenTelemetrySdk.builder()
        .addPropertiesSupplier(() -> settings)
        .addTracerProviderCustomizer(
            (tracing, unused) ->
                tracing.addSpanProcessor(
                    ProfilingCorrelation.correlate(SimpleSpanProcessor.create(ledger))))
        .build()
        .getOpenTelemetrySdk();
  }

  /** Waits until it runs, as earlier samples would belong to no span. */
  private static void awaitProfiler() throws JMException, InterruptedException {
    long end = System.nanoTime() + MAX_START_NANOS;
    while (!status("embedded.profiler").startsWith("on: ")) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException("the profiler is " + status("embedded.profiler"));
      }
      Thread.sleep(50);
    }
  }

  private static void run(Requests requests, long end) throws Exception {
    Disturbances disturbances = new Disturbances();
    ExecutorService platform = Executors.newCachedThreadPool();
    ExecutorService virtual = virtualThreads();
    List<Future<?>> running = new ArrayList<>();
    for (Consumer<Request> work : disturbances.all()) {
      running.add(platform.submit(() -> serve(requests, work, end)));
    }
    for (int i = 0; virtual != null && i < VIRTUAL_THREADS; i++) {
      running.add(virtual.submit(() -> serve(requests, disturbances::onVirtualThread, end)));
    }
    for (Future<?> each : running) {
      each.get();
    }
  }

  private static void serve(Requests requests, Consumer<Request> work, long end) {
    while (System.nanoTime() < end) {
      requests.serve(work);
    }
  }

  /** Returns an executor with a virtual thread for each task, or null before JDK 21. */
  private static ExecutorService virtualThreads() throws ReflectiveOperationException {
    try {
      return (ExecutorService)
          Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    } catch (NoSuchMethodException e) {
      return null;
    }
  }

  private static long count(String name) throws JMException {
    return Long.parseLong(status("embedded." + name));
  }

  private static String status(String name) throws JMException {
    return String.valueOf(
        BEANS.getAttribute(new ObjectName("io.flamespan.correlation:type=Status"), name));
  }

  private EmbeddedChaos() {}
}

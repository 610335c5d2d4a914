/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.times;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * Serves requests whose endpoint has one cause each, and writes what they did, as they have
 * measured it: a line for each endpoint with its name, the part of the time line, the number of
 * requests, their durations, and the time of the part, in nanoseconds.
 *
 * <p>Arguments: the file, the number of requests for each endpoint, and a regular expression that
 * selects endpoints. The rest is said by the settings of the SDK.
 */
public final class KnownTimes {
  private static final long MAX_START_NANOS = 60_000_000_000L;
  private static final int STARVED = 20;

  // The plug-in registers its bean only where somebody has asked for these.
  private static final MBeanServer BEANS = ManagementFactory.getPlatformMBeanServer();

  private interface Cause {
    void run(Truth truth) throws Exception;
  }

  /** What the threads of an endpoint are, and how many serve it at a time. */
  private record Endpoint(
      String name, String part, int threads, ExecutorService executor, Cause cause, Truth truth) {}

  private final Map<String, Endpoint> endpoints = new LinkedHashMap<>();
  private final ExecutorService platform = Executors.newCachedThreadPool();
  private final ExecutorService workers = Context.taskWrapping(Executors.newCachedThreadPool());
  private final Pattern selected;

  private KnownTimes(Pattern selected) throws Exception {
    this.selected = selected;
    Causes causes = new Causes();
    Map<String, Cause> waits = new LinkedHashMap<>();
    waits.put("sleep", causes::sleep);
    waits.put("sleep/pinned", causes::pinned);
    waits.put("lock/monitor", causes::monitor);
    waits.put("lock", causes::lock);
    waits.put("otherThread/queue", causes::queue);
    waits.put("otherThread/future", causes::future);
    waits.put("io/socket", causes::socket);
    waits.put("io/file", causes::file);
    waits.put("io/database", causes::database);
    waits.put("pool", causes::connection);
    waits.forEach((name, cause) -> add(name, part(name), 2, platform, cause));
    waits.forEach((name, cause) -> add("executor/" + name, part(name), 1, platform, across(cause)));
    add("executor/parallel", "sleep", 1, platform, truth -> Causes.parallel(workers, truth));
    ExecutorService virtual = virtualThreads();
    if (virtual != null) {
      ExecutorService ofRequest = Context.taskWrapping(virtual);
      add("virtual/parallel", "sleep", 4, virtual, truth -> Causes.parallel(ofRequest, truth));
      waits.forEach((name, cause) -> add("virtual/" + name, part(name), 4, virtual, cause));
      add("virtual/many/sleep", "sleep", 300, virtual, causes::sleep);
    }
    add("cpu", "onCpu", 1, platform, causes::cpu);
    add("executor/cpu", "onCpu", 1, platform, across(causes::cpu));
    add("stopped/collection", "stopped", 1, platform, causes::collection);
    add("stopped/allocation", "stopped", 1, platform, causes::allocation);
    add("stopped/late", "stopped", 1, platform, causes::lateSafepoint);
    add("starved", "ready", STARVED, platform, causes::starved);
  }

  private static String part(String name) {
    return name.substring(0, (name + "/").indexOf('/'));
  }

  private void add(String name, String part, int threads, ExecutorService executor, Cause cause) {
    if (selected.matcher(name).matches()) {
      endpoints.put(name, new Endpoint(name, part, threads, executor, cause, new Truth()));
    }
  }

  /** Lets a thread of a pool do it, and waits for that. */
  private Cause across(Cause cause) {
    return truth ->
        workers
            .submit(
                () -> {
                  cause.run(truth);
                  return "";
                })
            .get();
  }

  private static ExecutorService virtualThreads() {
    try {
      return (ExecutorService)
          Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    } catch (ReflectiveOperationException e) {
      return null; // before Java 21
    }
  }

  /**
   * Those that need all CPUs or carriers, or stop the JVM, are served one after the other. Up to
   * Java 23, other endpoints keep carriers.
   */
  private static boolean isAlone(Endpoint endpoint) {
    return !List.of("sleep", "lock", "otherThread", "io", "pool").contains(endpoint.part())
        || endpoint.threads() > 4
        || endpoint.name().equals("virtual/parallel");
  }

  private void serve(Tracer tracer, int requests) throws Exception {
    List<Future<?>> together = new ArrayList<>();
    for (Endpoint endpoint : endpoints.values()) {
      if (!isAlone(endpoint)) {
        together.addAll(serve(tracer, endpoint, requests));
      }
    }
    await(together);
    for (Endpoint endpoint : endpoints.values()) {
      if (isAlone(endpoint)) {
        await(serve(tracer, endpoint, Math.max(requests, 2 * endpoint.threads())));
      }
    }
  }

  private static void await(List<Future<?>> running) throws Exception {
    for (Future<?> one : running) {
      one.get();
    }
  }

  private static List<Future<?>> serve(Tracer tracer, Endpoint endpoint, int requests) {
    List<Future<?>> running = new ArrayList<>();
    for (int i = 0; i < endpoint.threads(); i++) {
      running.add(
          endpoint
              .executor()
              .submit(
                  () -> {
                    while (endpoint.truth().begin() <= requests) {
                      serve(tracer, endpoint);
                    }
                    return "";
                  }));
    }
    return running;
  }

  private static void serve(Tracer tracer, Endpoint endpoint) throws Exception {
    Truth truth = endpoint.truth();
    Span span =
        tracer
            .spanBuilder("GET /" + endpoint.name())
            .setNoParent()
            .setSpanKind(SpanKind.SERVER)
            .startSpan();
    long begin = System.nanoTime();
    try (Scope scope = span.makeCurrent()) {
      endpoint.cause().run(truth);
    } finally {
      truth.duration.add(System.nanoTime() - begin);
      truth.requests.increment();
      span.end();
    }
  }

  private List<String> lines() {
    return endpoints.values().stream()
        .map(
            one ->
                String.join(
                    "\t",
                    one.name(),
                    one.part(),
                    one.truth().requests.toString(),
                    one.truth().duration.toString(),
                    one.truth().caused.toString()))
        .collect(Collectors.toList());
  }

  /** Waits until it runs, as earlier samples would belong to no span. */
  private static void awaitProfiler() throws Exception {
    ObjectName status = new ObjectName("io.flamespan.correlation:type=Status");
    long end = System.nanoTime() + MAX_START_NANOS;
    String state;
    do {
      Thread.sleep(50);
      state = String.valueOf(BEANS.getAttribute(status, "embedded.profiler"));
      if (System.nanoTime() > end) {
        throw new IllegalStateException("the profiler is " + state);
      }
    } while (!state.startsWith("on: "));
  }

  public static void main(String[] arguments) throws Exception {
    OpenTelemetrySdk sdk = AutoConfiguredOpenTelemetrySdk.builder().build().getOpenTelemetrySdk();
    awaitProfiler();
    KnownTimes application = new KnownTimes(Pattern.compile(arguments[2]));
    try {
      application.serve(sdk.getTracer("known-times"), Integer.parseInt(arguments[1]));
    } catch (ExecutionException e) {
      e.printStackTrace();
      System.exit(1);
    }
    sdk.getSdkTracerProvider().forceFlush().join(20, TimeUnit.SECONDS);
    sdk.close();
    Files.write(Path.of(arguments[0]), application.lines());
    System.exit(0); // pools have threads that are no daemons
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.metrics.data.MetricData;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An application whose allocation and waits for locks are counted by endpoint. */
class AmountsOfEndpointsTest {
  private static final AttributeKey<String> NAME = AttributeKey.stringKey("span.name");

  private static volatile Object sink;

  private final ProfiledSdk sdk =
      new ProfiledSdk(Map.of("embedded.profiler.events", "cpu,alloc,lock,wall"));
  private final Object monitor = new Object();

  @AfterEach
  void close() {
    sdk.close();
  }

  private void request(String name, Runnable work) {
    Span root = sdk.tracer().spanBuilder(name).setNoParent().startSpan();
    try (Scope scope = root.makeCurrent()) {
      work.run();
    } finally {
      root.end();
    }
  }

  private static void allocate(int size, long bytes) {
    for (long rest = bytes; rest > 0; rest -= size) {
      sink = new byte[size - 16]; // the header
    }
  }

  private Map<String, Double> metric(String name) {
    Map<String, Double> found = new HashMap<>();
    for (MetricData metric : sdk.metrics.collectAllMetrics()) {
      if (metric.getName().equals("profiling.correlation." + name)) {
        metric
            .getLongSumData()
            .getPoints()
            .forEach(p -> found.put(p.getAttributes().get(NAME), (double) p.getValue()));
        metric
            .getDoubleSumData()
            .getPoints()
            .forEach(p -> found.put(p.getAttributes().get(NAME), p.getValue()));
      }
    }
    return found;
  }

  @Test
  void allocation_ofEndpoints_isCountedInBytes() {
    long small = 1_000_000_000;
    long large = 3_000_000_000L;
    for (int i = 0; i < 100; i++) {
      request("small", () -> allocate(1_000, small / 100));
      request("large", () -> allocate(1_000_000, large / 100));
    }
    sdk.flush();

    Map<String, Double> found = metric("allocation");
    System.out.println(found);
    // A standard deviation is 2 %.
    assertThat(found.get("small") / small).isCloseTo(1, within(0.15));
    assertThat(found.get("large") / large).isCloseTo(1, within(0.15));
    assertThat(found).containsOnlyKeys("small", "large");
    assertThat(leaves(SampleKind.ALLOC, "allocate")).containsOnly("byte[]");
  }

  /** The classes of what was allocated or locked directly in this method of the test. */
  private List<String> leaves(SampleKind kind, String method) {
    return List.copyOf(sdk.sampled).stream()
        .filter(sample -> sample.kind == kind)
        .map(sample -> sample.stackTrace.frames)
        .filter(
            frames ->
                frames.get(0).isClass()
                    && frames.stream()
                        .filter(frame -> !frame.isClass() && !frame.className.isEmpty())
                        .limit(1)
                        .anyMatch(
                            frame ->
                                frame.methodName.equals(method)
                                    && frame.className.equals(getClass().getName())))
        .map(frames -> frames.get(0).className)
        .toList();
  }

  @Test
  void waitForALock_ofAnEndpoint_isCountedInSeconds() throws Exception {
    long begin = System.nanoTime();
    Thread waiting = new Thread(() -> request("waiting", this::lock));
    CountDownLatch held = new CountDownLatch(1);
    Thread holder =
        new Thread(
            () ->
                request(
                    "holding",
                    () -> {
                      synchronized (monitor) {
                        held.countDown();
                        awaitBlocked(waiting);
                      }
                    }));
    holder.start();
    held.await();
    waiting.start();
    waiting.join();
    holder.join();
    double elapsed = (System.nanoTime() - begin) / 1e9;
    sdk.flush();

    Map<String, Double> found = metric("lock_time");
    System.out.println(found + " of " + elapsed + " s");
    assertThat(found).containsOnlyKeys("waiting");
    assertThat(found.get("waiting")).isBetween(0.25, elapsed);
    assertThat(leaves(SampleKind.LOCK, "lock")).containsExactly("java.lang.Object");
  }

  @Test
  void waiting_ofAnEndpoint_isCountedInSeconds() {
    long begin = System.nanoTime();
    while (sdk.sampled.stream().noneMatch(s -> s.kind == SampleKind.WALL && s.work != null)) {
      request("sleeping", () -> LockSupport.parkNanos(100_000_000));
    }
    double elapsed = (System.nanoTime() - begin) / 1e9;
    sdk.flush();

    Map<String, Double> found = metric("wait_time");
    System.out.println(found + " of " + elapsed + " s");
    assertThat(found.get("sleeping")).isBetween(0.001, 2 * elapsed);
    assertThat(found).containsOnlyKeys("sleeping");
  }

  private void lock() {
    synchronized (monitor) {
      sink = monitor;
    }
  }

  /** Returns a quarter of a second after the thread has begun to wait for a lock. */
  private static void awaitBlocked(Thread thread) {
    while (thread.getState() != Thread.State.BLOCKED) {
      Thread.onSpinWait();
    }
    Endpoints.spin(260_000_000);
  }

  @Test
  void stackTraceIds_ofSpansWithoutCpuTime_areMissing() {
    request("allocating", () -> allocate(1_000_000, 2_000_000_000));
    sdk.flush();

    // A span has its ids before listeners hear of them.
    await().until(() -> samplesOfCpu() == sdk.stackTraceIds());
    assertThat(List.copyOf(sdk.sampled)).anyMatch(sample -> sample.kind == SampleKind.ALLOC);
  }

  private long samplesOfCpu() {
    return List.copyOf(sdk.sampled).stream()
        .filter(sample -> sample.kind == SampleKind.CPU && sample.work != null)
        .count();
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.metrics.data.DoublePointData;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Waits of virtual threads have the span, the length and the stack that the application knows. */
@EnabledForJreRange(min = JRE.JAVA_21)
class VirtualThreadsWaitsTest {
  private static final int THREADS = 300;
  private static final int REQUESTS = Integer.getInteger("test.requests", 3);
  private static final double MIN_FOUND = 0.95;
  private static final double MAX_FOUND = 1.05;
  private static final long PERIOD = 10_000_000;
  private static final long CLOCKS_MILLIS = 1_000; // by which they may differ
  private static final int FIRST_WITHOUT_PINNING = 24; // by monitors
  private static final long MILLIS_2 = 2_000_000;
  private static final String PREFIX = "waitIn";
  private static final String MONITOR = "waitInMonitor";

  private interface Wait {
    void run() throws Exception;
  }

  /** What the application knows of a span. */
  private static final class Truth {
    private final String method;
    private final long endMillis = System.currentTimeMillis();
    private long nanos;
    private long whole; // waits that were found
    private long sampled; // by the wall clock of the carrier

    private Truth(String method, long nanos) {
      this.method = method;
      this.nanos = nanos;
    }

    private void add(JoinedSample sample) {
      assertThat(TimeUnit.NANOSECONDS.toMillis(sample.epochNanos))
          .isBetween(endMillis - nanos / 1_000_000 - CLOCKS_MILLIS, endMillis + CLOCKS_MILLIS);
      boolean isWhole = sample.threadName.isEmpty(); // carriers have names
      if (method.equals(MONITOR) && isWhole) {
        assertThat(sample.stackTrace.frames.get(0).methodName).isEqualTo("ObjectMonitor::enter");
      }
      whole += isWhole ? sample.amount(PERIOD) : 0;
      sampled += isWhole ? 0 : sample.amount(PERIOD);
    }

    private void add(Truth other) {
      nanos += other.nanos;
      whole += other.whole;
      sampled += other.sampled;
    }

    @Override
    public String toString() {
      return method + " " + nanos + ", whole " + whole + ", sampled " + sampled;
    }
  }

  private final ProfiledSdk sdk =
      new ProfiledSdk(
          Map.of("embedded.profiler.events", "cpu,wall", "embedded.profiler.period", "10ms"));
  private final Tracer tracer = sdk.tracer();
  private final ScheduledExecutorService others = Executors.newScheduledThreadPool(2);
  private final ReentrantLock lock = new ReentrantLock();
  private final Object monitor = new Object();
  private final Map<Long, Truth> spans = new ConcurrentHashMap<>();

  private void later(Wait task) {
    others.schedule(
        () -> {
          task.run();
          return null;
        },
        millis(),
        TimeUnit.MILLISECONDS);
  }

  private static long millis() {
    return ThreadLocalRandom.current().nextLong(100, 600);
  }

  private void request(int number) throws Exception {
    Span root = tracer.spanBuilder("root").setNoParent().startSpan();
    try (Scope scope = root.makeCurrent()) {
      await(root, number);
      Span below = tracer.spanBuilder("below").startSpan();
      try (Scope ofBelow = below.makeCurrent()) {
        await(below, number + 1);
      }
      below.end();
    }
    root.end();
  }

  private void await(Span span, int number) throws Exception {
    switch (number % 8) {
      case 0:
        measure(span, "waitInSleep", () -> waitInSleep(millis()));
        break;
      case 1:
        BlockingQueue<Integer> queue = new LinkedBlockingQueue<>();
        later(() -> queue.put(1));
        measure(span, "waitInTake", () -> waitInTake(queue));
        break;
      case 2:
        try {
          measure(span, "waitInLock", () -> waitInLock(lock));
          LockSupport.parkNanos(MILLIS_2);
        } finally {
          lock.unlock();
        }
        break;
      case 3:
        CompletableFuture<Integer> got = new CompletableFuture<>();
        later(() -> got.complete(1));
        measure(span, "waitInGet", () -> waitInGet(got));
        break;
      case 4:
        CompletableFuture<Integer> joined = new CompletableFuture<>();
        later(() -> joined.complete(1));
        measure(span, "waitInJoin", () -> waitInJoin(joined));
        break;
      case 5:
        CountDownLatch latch = new CountDownLatch(1);
        later(latch::countDown);
        measure(span, "waitInLatch", () -> waitInLatch(latch));
        break;
      case 6:
        read(span);
        break;
      default:
        waitInMonitor(span);
    }
  }

  private void measure(Span span, String method, Wait wait) throws Exception {
    long begin = System.nanoTime();
    wait.run();
    measured(span, method, begin);
  }

  private void measured(Span span, String method, long begin) {
    long nanos = System.nanoTime() - begin;
    spans.put(
        Long.parseUnsignedLong(span.getSpanContext().getSpanId(), 16), new Truth(method, nanos));
  }

  private static void waitInSleep(long millis) throws InterruptedException {
    Thread.sleep(millis);
  }

  private static void waitInTake(BlockingQueue<Integer> queue) throws InterruptedException {
    queue.take();
  }

  private static void waitInLock(ReentrantLock lock) {
    lock.lock();
  }

  private static void waitInGet(CompletableFuture<Integer> future) throws Exception {
    future.get();
  }

  private static void waitInJoin(CompletableFuture<Integer> future) {
    future.join();
  }

  private static void waitInLatch(CountDownLatch latch) throws InterruptedException {
    latch.await();
  }

  private void read(Span span) throws Exception {
    InetAddress local = InetAddress.getLoopbackAddress();
    try (ServerSocket server = new ServerSocket(0, 1, local);
        Socket client = new Socket(local, server.getLocalPort());
        Socket peer = server.accept()) {
      later(() -> peer.getOutputStream().write(1));
      measure(span, "waitInSocket", () -> waitInSocket(client));
    }
  }

  private static void waitInSocket(Socket socket) throws IOException {
    assertThat(socket.getInputStream().read()).isOne();
  }

  private void waitInMonitor(Span span) {
    long begin = System.nanoTime();
    synchronized (monitor) {
      measured(span, MONITOR, begin);
      Endpoints.spin(MILLIS_2);
    }
  }

  private void serve() throws Exception {
    try (AutoCloseable closed =
        (AutoCloseable) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null)) {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        int first = i;
        running.add(
            ((ExecutorService) closed)
                .submit(
                    () -> {
                      for (int request = 0; request < REQUESTS; request++) {
                        request(first + request);
                      }
                      return null;
                    }));
      }
      for (Future<?> each : running) {
        each.get();
      }
    } finally {
      others.shutdown();
    }
  }

  /** Returns which method of this test a stack names, or null. */
  private static String waitingMethod(StackTrace stackTrace) {
    for (Frame frame : stackTrace.frames) {
      if (frame.methodName.startsWith(PREFIX)
          && frame.className.equals(VirtualThreadsWaitsTest.class.getName())) {
        return frame.methodName;
      }
    }
    return null;
  }

  private double waitTime() {
    return sdk.metrics.collectAllMetrics().stream()
        .filter(metric -> metric.getName().equals("profiling.correlation.wait_time"))
        .flatMap(metric -> metric.getDoubleSumData().getPoints().stream())
        .mapToDouble(DoublePointData::getValue)
        .sum();
  }

  private static boolean isPinned(String method) {
    return method.equals(MONITOR) && Runtime.version().feature() < FIRST_WITHOUT_PINNING;
  }

  @Test
  void waits_ofManyThreads_haveTheirSpanLengthAndStack() throws Exception {
    try (ProfiledSdk closed = sdk) {
      serve();
      sdk.flush();
      assertThat(sdk.status("embedded.profiler").toString())
          .endsWith(", waits of virtual threads from 1 ms on");

      List<String> wrong = new ArrayList<>();
      for (JoinedSample sample : sdk.sampled) {
        String method = sample.kind == SampleKind.WALL ? waitingMethod(sample.stackTrace) : null;
        if (method != null) {
          Truth truth = sample.work == null ? null : spans.get(sample.work.spanId);
          if (truth == null || !truth.method.equals(method)) {
            wrong.add(method + " of " + (truth == null ? "none" : truth.method));
          } else {
            truth.add(sample);
          }
        }
      }
      assertThat(wrong).isEmpty();
      assertThat(spans).hasSize(2 * THREADS * REQUESTS);
      Map<String, Truth> sums = new TreeMap<>();
      for (Truth truth : spans.values()) {
        assertThat(truth.whole).isLessThanOrEqualTo(truth.nanos);
        sums.computeIfAbsent(truth.method, method -> new Truth(method, 0)).add(truth);
      }
      double seconds =
          sdk.sampled.stream()
                  .filter(sample -> sample.kind == SampleKind.WALL)
                  .mapToLong(sample -> sample.amount(PERIOD))
                  .sum()
              / 1e9;
      double metric = waitTime();
      System.out.println(sums.values() + ", " + metric + " of " + seconds + " s in the metric");
      assertThat(metric).isBetween(MIN_FOUND * seconds, MAX_FOUND * seconds);
      assertThat(sums).hasSize(8);
      for (Truth sum : sums.values()) {
        if (isPinned(sum.method)) {
          assertThat(sum.whole).isZero();
        } else {
          assertThat(sum.whole).as(sum.method).isGreaterThan((long) (MIN_FOUND * sum.nanos));
          // The carrier may sleep before the thread has left it, and never while it waits.
          assertThat(sum.whole + sum.sampled).isLessThan((long) (MAX_FOUND * sum.nanos));
        }
      }
    }
  }
}

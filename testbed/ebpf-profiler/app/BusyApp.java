/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An application whose threads only burn CPU, in transactions of three endpoints that use 60, 30
 * and 10 per cent of the CPU time. On termination it completes its transactions, flushes, and
 * prints their number and CPU time.
 *
 * <p>Arguments: the number of threads, the average CPU milliseconds of a transaction, and the
 * lifetime of threads, "stay" or "come-and-go".
 */
public final class BusyApp {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final int TRANSACTIONS_OF_A_BRIEF_THREAD = 3;

  private enum Endpoint {
    SIXTY(0.6),
    THIRTY(0.3),
    TEN(0.1);

    final double share;
    final AtomicLong transactions = new AtomicLong();
    final AtomicLong cpuNanos = new AtomicLong();

    Endpoint(double share) {
      this.share = share;
    }
  }

  private final Tracer tracer;
  private final double cpuNanosOfOneEach;
  private final CountDownLatch working;
  private volatile boolean stopping;
  private volatile long checksum;

  private BusyApp(Tracer tracer, double cpuNanosOfOneEach, int threads) {
    this.tracer = tracer;
    this.cpuNanosOfOneEach = cpuNanosOfOneEach;
    this.working = new CountDownLatch(threads);
  }

  public static void main(String[] arguments) {
    Runnable end = start(arguments, worker -> new Thread(worker).start());
    Runtime.getRuntime().addShutdownHook(new Thread(end));
  }

  /**
   * Starts the application with a new SDK.
   *
   * @param threads runs each worker on a thread until the application ends
   * @return the task that ends the application
   */
  public static Runnable start(String[] arguments, Executor threads) {
    int count = Integer.parseInt(arguments[0]);
    double cpuMillis = Double.parseDouble(arguments[1]);
    boolean comeAndGo = arguments[2].equals("come-and-go");
    OpenTelemetrySdk sdk =
        AutoConfiguredOpenTelemetrySdk.builder()
            .disableShutdownHook()
            .build()
            .getOpenTelemetrySdk();
    double nanosOfOneEach = cpuMillis * 1e6 * Endpoint.values().length;
    BusyApp app = new BusyApp(sdk.getTracer("busy"), nanosOfOneEach, count);
    System.out.println("ready");
    for (int i = 0; i < count; i++) {
      threads.execute(() -> app.work(comeAndGo));
    }
    return () -> app.end(sdk);
  }

  private void work(boolean comeAndGo) {
    try {
      if (comeAndGo) {
        workInBriefThreads();
      } else {
        work();
      }
    } finally {
      working.countDown();
    }
  }

  private void work() {
    while (!stopping) {
      transaction(anyEndpoint());
    }
  }

  /**
   * Returns a random endpoint, because a fixed cycle may synchronize with the sampling or the time
   * slices.
   */
  private static Endpoint anyEndpoint() {
    return Endpoint.values()[ThreadLocalRandom.current().nextInt(Endpoint.values().length)];
  }

  private void workInBriefThreads() {
    while (!stopping) {
      Thread brief =
          new Thread(
              () -> {
                for (int i = 0; i < TRANSACTIONS_OF_A_BRIEF_THREAD; i++) {
                  transaction(anyEndpoint());
                }
              });
      brief.start();
      try {
        brief.join();
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private void transaction(Endpoint endpoint) {
    long start = THREADS.getCurrentThreadCpuTime();
    Span root = tracer.spanBuilder(endpoint.name()).setSpanKind(SpanKind.SERVER).startSpan();
    try (Scope scope = root.makeCurrent()) {
      long burn = (long) (cpuNanosOfOneEach * endpoint.share);
      burnUntil(start + burn / 2);
      Span child = tracer.spanBuilder("child").startSpan();
      try (Scope childScope = child.makeCurrent()) {
        burnUntil(start + burn);
      } finally {
        child.end();
      }
    } finally {
      root.end();
    }
    endpoint.transactions.incrementAndGet();
    endpoint.cpuNanos.addAndGet(THREADS.getCurrentThreadCpuTime() - start);
  }

  private void burnUntil(long cpuTime) {
    long value = checksum;
    while (THREADS.getCurrentThreadCpuTime() < cpuTime) {
      for (int i = 0; i < 20_000; i++) {
        value = value * 6364136223846793005L + i;
      }
    }
    checksum = value;
  }

  private void end(OpenTelemetrySdk sdk) {
    stopping = true;
    try {
      working.await();
    } catch (InterruptedException e) {
      return;
    }
    sdk.close();
    for (Endpoint endpoint : Endpoint.values()) {
      System.out.println(
          "did " + endpoint + " " + endpoint.transactions + " " + endpoint.cpuNanos.get() / 1000);
    }
    System.out.flush();
  }
}

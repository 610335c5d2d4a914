/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.internal.embedded.EmbeddedCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Samples of allocation, locks and waits are joined with the endpoint that their stack names. */
class KindsExactnessTest {
  private static final int SAMPLES = Integer.getInteger("test.samples", 1_000);
  private static final int LIMIT_MINUTES = 10;
  private static final long MICROS_20 = 20_000;

  private static volatile Object sink;

  private final Map<String, Integer> found = new ConcurrentHashMap<>();
  private final Object monitor = new Object();
  private final ReentrantLock lock = new ReentrantLock();

  private void judge(List<JoinedSample> samples, long periodNanos) {
    for (JoinedSample sample : samples) {
      int endpoint = Endpoints.in(sample.stackTrace);
      if (endpoint != Endpoints.NONE) {
        String result =
            sample.work == null
                ? " lost"
                : sample.work.localRootSpanId == endpoint ? " right" : " wrong";
        found.merge(sample.kind + result, 1, Integer::sum);
        assertThat(sample.amount(periodNanos)).isPositive();
      }
    }
  }

  private boolean hasEnough() {
    return Stream.of("alloc right", "lock right", "wall right", "runnable right")
        .allMatch(kindAndResult -> found.getOrDefault(kindAndResult, 0) >= SAMPLES);
  }

  private static void allocate(int bytes) {
    for (int rest = bytes; rest > 0; rest -= 1_000) {
      sink = new byte[1_000];
    }
    sink = new byte[bytes];
  }

  private static void sleep(long nanos) {
    LockSupport.parkNanos(nanos);
  }

  private void lockMonitor() {
    synchronized (monitor) {
      Endpoints.spin(MICROS_20);
    }
  }

  private void lockLock() {
    lock.lock();
    try {
      Endpoints.spin(MICROS_20);
    } finally {
      lock.unlock();
    }
  }

  @Test
  void samples_ofAllocationLocksAndWaits_areJoinedExactly() throws Exception {
    EmbeddedAsyncProfiler profiler = new EmbeddedAsyncProfiler();
    Endpoints endpoints = new Endpoints(profiler);
    EmbeddedAsyncProfiler.addListener(this::judge);
    String running =
        profiler.start(
            Samples.settings(10_000_000, List.of("alloc", "lock", "wall")),
            (work, high, low, count) -> {});
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(LIMIT_MINUTES);
    List<Thread> threads = new ArrayList<>();
    List<Runnable> tasks =
        List.of(
            () -> endpoints.call(() -> allocate(2_000), () -> allocate(100)),
            () -> endpoints.call(() -> allocate(200_000), () -> allocate(2_000_000)),
            () -> endpoints.call(this::lockMonitor, this::lockLock),
            () -> endpoints.call(this::lockMonitor, this::lockLock),
            () -> endpoints.call(this::lockLock, this::lockMonitor),
            () -> endpoints.call(this::lockLock, () -> allocate(20_000)),
            () -> endpoints.call(() -> sleep(1_000_000), () -> sleep(50_000)),
            () -> endpoints.call(() -> sleep(50_000_000), () -> sleep(1_000_000)),
            () -> {
              Thread dying =
                  new Thread(() -> endpoints.call(this::lockMonitor, () -> allocate(100_000)));
              dying.start();
              joinUninterruptibly(dying);
            });
    for (Runnable task : tasks) {
      Thread thread =
          new Thread(
              () -> {
                while (!hasEnough() && System.nanoTime() - end < 0) {
                  task.run();
                }
              });
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    profiler.stop();
    EmbeddedCounts counts = profiler.counts();
    System.out.println(running + ": " + found + ", " + counts.unjoined + " unjoined");

    assertThat(hasEnough()).as("%s, %s", running, found).isTrue();
    assertThat(found.keySet())
        .containsOnly("cpu right", "alloc right", "lock right", "wall right", "runnable right");
    assertThat(counts.unjoined).isZero();
  }

  private static void joinUninterruptibly(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}

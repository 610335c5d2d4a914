/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.internal.embedded.EmbeddedCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Each sample is joined with the endpoint that its stack names. */
class ExactnessTest {
  private static final long PERIOD = 1_000_000;
  private static final int SAMPLES = Integer.getInteger("test.samples", 3_000);

  @Test
  void samples_ofEndpoints_areJoinedExactly() throws Exception {
    EmbeddedAsyncProfiler profiler = new EmbeddedAsyncProfiler();
    Endpoints endpoints = new Endpoints(profiler);
    EmbeddedAsyncProfiler.addListener(endpoints);
    AtomicLong received = new AtomicLong();
    System.out.println(
        profiler.start(
            Samples.settings(PERIOD), (work, high, low, count) -> received.addAndGet(count)));
    List<Thread> threads = new ArrayList<>();
    ExecutorService pool = Executors.newFixedThreadPool(3);
    for (long nanos : new long[] {2_000, 20_000, 1_000_000, 20_000_000, 1_000_000_000}) {
      Thread thread =
          new Thread(
              () -> {
                while (!Thread.interrupted()) {
                  endpoints.call(nanos);
                }
              });
      thread.start();
      threads.add(thread);
    }
    Thread caller =
        new Thread(
            () -> {
              try {
                while (true) {
                  pool.submit(() -> endpoints.call(100_000)).get();
                  Thread dying = new Thread(() -> endpoints.call(3_000_000));
                  dying.start();
                  dying.join();
                }
              } catch (Exception e) {
                // The end.
              }
            });
    caller.start();
    threads.add(caller);
    while (endpoints.right + endpoints.wrong + endpoints.lost < SAMPLES) {
      Thread.sleep(100);
    }
    for (Thread thread : threads) {
      thread.interrupt();
      thread.join();
    }
    pool.shutdown();
    assertThat(pool.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
    profiler.stop();
    EmbeddedCounts counts = profiler.counts();
    System.out.println(
        endpoints
            + "; "
            + counts.samples
            + " samples, "
            + counts.skipped
            + " skipped, "
            + counts.joined
            + " joined, "
            + counts.broken
            + " broken, "
            + counts.withoutSpan
            + " without span, "
            + counts.unjoined
            + " unjoined");

    assertThat(endpoints.wrong).isZero();
    assertThat(endpoints.lost).isZero();
    assertThat(counts.unjoined).isZero();
    assertThat(received).hasValue(counts.joined + counts.broken);
    assertThat(received.get()).isGreaterThanOrEqualTo(endpoints.right);
  }
}

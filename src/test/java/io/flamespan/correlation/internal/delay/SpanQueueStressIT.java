/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.delay;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.internal.localroot.LocalRoot;
import io.flamespan.correlation.testing.RecordingSpanExporter;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Several threads offer while one takes: no span is lost, duplicated, mixed up or out of order. */
class SpanQueueStressIT {
  private static final int THREADS = 3;
  private static final int SPANS = 300_000;
  private static final int CAPACITY = 7;
  private static final long TICK = 1 << 10; // times of local roots are not finer
  private static final long BEFORE_ALL = -1;
  private static final long AFTER_ALL = end(0, SPANS);
  private static final int HAND_OVERS = 1_000_000;
  private static final int SPINS = 100;

  private final SpanQueue queue = new SpanQueue(CAPACITY);
  private final SdkTracerProvider provider =
      SdkTracerProvider.builder()
          .addSpanProcessor(SimpleSpanProcessor.create(new RecordingSpanExporter()))
          .build();

  private ReadableSpan span() {
    return (ReadableSpan) provider.get("test").spanBuilder("span").startSpan();
  }

  @Test
  void spans_ofManyThreads_comeOutOnceAndInOrder() throws Exception {
    ReadableSpan[] spans = new ReadableSpan[THREADS];
    for (int i = 0; i < THREADS; i++) {
      spans[i] = span();
    }
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    List<Future<?>> offering = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      int thread = i;
      offering.add(threads.submit(() -> offerAll(spans[thread], thread)));
    }
    int[] next = new int[THREADS];
    int taken = 0;
    while (taken < THREADS * SPANS) {
      long firstEndNanos = queue.markDue(BEFORE_ALL, AFTER_ALL);
      queue.markDue(AFTER_ALL, AFTER_ALL);
      int count = 0;
      for (; queue.hasDue() && count < CAPACITY; count++) {
        LocalRoot root = queue.first();
        long endNanos = root.endedNanos(AFTER_ALL);
        if (count == 0 && firstEndNanos != SpanQueue.EMPTY) {
          assertThat(firstEndNanos + BEFORE_ALL).isEqualTo(endNanos);
        }
        int thread = List.of(spans).indexOf(queue.remove());
        assertThat(endNanos)
            .as("order within thread %d", thread)
            .isEqualTo(end(thread, next[thread]));
        next[thread]++;
      }
      taken += count;
      if (count == 0) {
        for (Future<?> thread : offering) {
          if (thread.isDone()) {
            thread.get(); // fails here instead of waiting forever
          }
        }
        Thread.yield();
      }
    }
    assertThat(next).containsOnly(SPANS);
    assertThat(queue.taken()).isEqualTo(queue.offered());
    threads.shutdown();
  }

  /**
   * Otherwise a thread could go to sleep, or a processor could be closed, while a span still waits.
   */
  @Test
  void offer_afterConsumerSleeps_isSeenByOneSide() throws Exception {
    ReadableSpan span = span();
    LocalRoot root = root(0);
    AtomicInteger round = new AtomicInteger();
    AtomicBoolean nobodyComes = new AtomicBoolean();
    AtomicInteger lost = new AtomicInteger();
    ExecutorService offering = Executors.newSingleThreadExecutor();
    Future<?> offerer =
        offering.submit(
            () -> {
              for (int n = 1; n <= HAND_OVERS; n++) {
                for (int i = 0; round.get() != n; i++) {
                  pause(i);
                }
                boolean offered = queue.offer(span, root);
                boolean seesIt = nobodyComes.get();
                assertThat(offered).isTrue();
                round.set(seesIt ? -n : HAND_OVERS + n);
              }
            });
    for (int n = 1; n <= HAND_OVERS; n++) {
      nobodyComes.set(false);
      round.set(n);
      for (int i = n % 64; i > 0; i--) {
        Thread.onSpinWait(); // so that both threads arrive at about the same time
      }
      nobodyComes.set(true);
      boolean seen = queue.offered() > queue.taken();
      for (int i = 0; round.get() == n && !offerer.isDone(); i++) {
        pause(i);
      }
      if (!seen && round.get() != -n) {
        lost.incrementAndGet();
      }
      queue.markDueUntil(queue.offered());
      while (queue.hasDue()) {
        assertThat(queue.first()).isSameAs(root);
        assertThat(queue.remove()).isSameAs(span);
      }
    }
    offerer.get();
    offering.shutdown();
    assertThat(lost).hasValue(0);
  }

  /** Where more threads run than CPUs are free, a thread that only spins waits for a time slice. */
  private static void pause(int times) {
    if (times % SPINS < SPINS - 1) {
      Thread.onSpinWait();
    } else {
      Thread.yield();
    }
  }

  private void offerAll(ReadableSpan span, int thread) {
    for (int n = 0; n < SPANS; n++) {
      LocalRoot root = root(end(thread, n));
      while (!queue.offer(span, root)) {
        Thread.yield();
      }
    }
  }

  private static LocalRoot root(long endNanos) {
    LocalRoot root = new LocalRoot();
    root.setEnded(endNanos);
    return root;
  }

  /** Differs for each span, so that a span with a foreign root is noticed. */
  private static long end(int thread, int n) {
    return (1 + (long) n * THREADS + thread) * TICK;
  }
}

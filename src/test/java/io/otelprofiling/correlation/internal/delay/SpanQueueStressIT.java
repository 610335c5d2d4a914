/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.delay;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.otelprofiling.correlation.internal.localroot.LocalRoot;
import io.otelprofiling.correlation.testing.RecordingSpanExporter;
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
  private static final long BEFORE_ALL = -1;
  private static final int HAND_OVERS = 1_000_000;

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
    LocalRoot[] roots = new LocalRoot[THREADS];
    for (int i = 0; i < THREADS; i++) {
      spans[i] = span();
      SpanContext context = spans[i].getSpanContext();
      roots[i] = new LocalRoot();
    }
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    List<Future<?>> offering = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      int thread = i;
      offering.add(threads.submit(() -> offerAll(spans[thread], roots[thread])));
    }
    int[] next = new int[THREADS];
    int taken = 0;
    while (taken < THREADS * SPANS) {
      long firstEndNanos = queue.markDue(BEFORE_ALL);
      queue.markDue(Long.MAX_VALUE / 2);
      int count = 0;
      for (; queue.hasDue() && count < CAPACITY; count++) {
        SpanQueue.Slot first = queue.first();
        int thread = List.of(roots).indexOf(first.root);
        assertThat(first.span).isSameAs(spans[thread]);
        assertThat(first.endNanos).as("order within thread %d", thread).isEqualTo(next[thread]);
        if (count == 0 && firstEndNanos != SpanQueue.EMPTY) {
          assertThat(firstEndNanos + BEFORE_ALL).isEqualTo(first.endNanos);
        }
        queue.remove(first);
        next[thread]++;
      }
      taken += count;
      if (count == 0) {
        for (Future<?> thread : offering) {
          if (thread.isDone()) {
            thread.get(); // fails here instead of waiting forever
          }
        }
        Thread.onSpinWait();
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
    LocalRoot root = new LocalRoot();
    AtomicInteger round = new AtomicInteger();
    AtomicBoolean nobodyComes = new AtomicBoolean();
    AtomicInteger lost = new AtomicInteger();
    ExecutorService offering = Executors.newSingleThreadExecutor();
    Future<?> offerer =
        offering.submit(
            () -> {
              for (int n = 1; n <= HAND_OVERS; n++) {
                while (round.get() != n) {
                  Thread.onSpinWait();
                }
                boolean offered = queue.offer(span, root, 0);
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
      queue.markDue(Long.MAX_VALUE / 2);
      boolean seen = queue.hasDue();
      while (round.get() == n && !offerer.isDone()) {
        Thread.onSpinWait();
      }
      if (!seen && round.get() != -n) {
        lost.incrementAndGet();
      }
      queue.markDueUntil(queue.offered());
      while (queue.hasDue()) {
        queue.remove(queue.first());
      }
    }
    offerer.get();
    offering.shutdown();
    assertThat(lost).hasValue(0);
  }

  private void offerAll(ReadableSpan span, LocalRoot root) {
    for (int n = 0; n < SPANS; n++) {
      while (!queue.offer(span, root, n)) {
        Thread.yield();
      }
    }
  }
}

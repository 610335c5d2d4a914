/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.delay;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.internal.localroot.LocalRoot;
import io.flamespan.correlation.testing.RecordingSpanExporter;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SpanQueueTest {
  private static final long TICK = 1 << 10; // times of local roots are not finer

  private static final SdkTracerProvider PROVIDER =
      SdkTracerProvider.builder()
          .addSpanProcessor(SimpleSpanProcessor.create(new RecordingSpanExporter()))
          .build();

  private static ReadableSpan span() {
    return (ReadableSpan) PROVIDER.get("test").spanBuilder("span").startSpan();
  }

  private static boolean offer(SpanQueue queue, ReadableSpan span, long endNanos) {
    LocalRoot root = new LocalRoot();
    root.setEnded(endNanos);
    return queue.offer(span, root);
  }

  private static List<ReadableSpan> take(SpanQueue queue, long endedUntil) {
    List<ReadableSpan> taken = new ArrayList<>();
    queue.markDue(endedUntil, endedUntil);
    while (queue.hasDue()) {
      assertThat(queue.first()).isNotNull();
      taken.add(queue.remove());
    }
    return taken;
  }

  private static long size(SpanQueue queue) {
    return queue.offered() - queue.taken();
  }

  @Test
  void queue_closed_acceptsNothingAndKeepsItsCounts() {
    SpanQueue queue = new SpanQueue(10);
    offer(queue, span(), TICK);
    assertThat(queue.close()).as("with a span in it").isFalse();
    take(queue, TICK);

    assertThat(queue.close()).isTrue();
    assertThat(offer(queue, span(), 2 * TICK)).isFalse();
    assertThat(queue.offered()).isEqualTo(1);
    assertThat(size(queue)).isZero();
    assertThat(queue.close()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 64, 100, 8096})
  void queue_filledRepeatedly_holdsItsCapacity(int capacity) {
    SpanQueue queue = new SpanQueue(capacity);
    for (int round = 0; round < 3; round++) {
      List<ReadableSpan> offered = new ArrayList<>();
      for (int i = 0; i < capacity; i++) {
        offered.add(span());
        assertThat(offer(queue, offered.get(i), i * TICK)).isTrue();
      }
      assertThat(offer(queue, span(), capacity * TICK)).isFalse();
      assertThat(take(queue, capacity * TICK)).isEqualTo(offered);
      assertThat(size(queue)).isZero();
    }
  }

  @Test
  void take_upToATime_returnsEndedSpansInOrder() {
    SpanQueue queue = new SpanQueue(10);
    long overflowing = Long.MAX_VALUE - TICK + 1;
    ReadableSpan first = span();
    ReadableSpan second = span();
    ReadableSpan third = span();
    offer(queue, first, overflowing);
    offer(queue, second, overflowing + 2 * TICK);
    offer(queue, third, overflowing + 4 * TICK);

    assertThat(queue.markDue(overflowing - 5, overflowing)).isEqualTo(5);
    assertThat(take(queue, overflowing - 1)).isEmpty();
    assertThat(take(queue, overflowing + 2 * TICK)).containsExactly(first, second);
    assertThat(queue.markDue(overflowing + 2 * TICK, overflowing)).isEqualTo(2 * TICK);
    assertThat(take(queue, overflowing + 4 * TICK)).containsExactly(third);
    assertThat(queue.markDue(overflowing + 4 * TICK, overflowing)).isEqualTo(SpanQueue.EMPTY);
  }

  @Test
  void markDueUntil_whateverTheirTime_marksThoseInTheQueueOnly() {
    SpanQueue queue = new SpanQueue(10);
    ReadableSpan before = span();
    offer(queue, before, 100 * TICK);
    assertThat(queue.hasDue()).isFalse();

    queue.markDueUntil(queue.offered());
    offer(queue, span(), 100 * TICK);
    assertThat(queue.hasDue()).isTrue();
    assertThat(take(queue, 0)).containsExactly(before);
    assertThat(queue.hasDue()).isFalse();
    assertThat(size(queue)).isEqualTo(1);
  }

  @Test
  void queue_afterTake_keepsNoReference() throws Exception {
    SpanQueue queue = new SpanQueue(1);
    Span taken = (Span) span();
    java.lang.ref.WeakReference<Span> reference = new java.lang.ref.WeakReference<>(taken);
    offer(queue, (ReadableSpan) taken, TICK);
    take(queue, TICK);
    taken = null;
    while (reference.get() != null) {
      System.gc();
      Thread.sleep(1);
    }
    assertThat(size(queue)).isZero();
  }
}

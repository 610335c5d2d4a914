/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.delay;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.internal.localroot.LocalRoot;
import io.flamespan.correlation.internal.localroot.LocalRootSpans;
import io.flamespan.correlation.internal.threads.LastingThread;
import io.flamespan.correlation.internal.wrapping.SampleReport;
import io.flamespan.correlation.testing.RecordingSpanProcessor;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests when spans leave, and how often a thread wakes up for that. The test plays the releaser.
 */
class ReleaserTest {
  private static final long TICK = 1 << 10; // times of local roots are not finer
  private static final long MILLI = 1_000 * TICK;
  private static final long DELAY_NANOS = 100 * MILLI;
  private static final long BATCH_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final AtomicLong clock = new AtomicLong(TICK);
  private final LocalRootSpans localRoots = new LocalRootSpans();
  private final SamplesDelay delay = new SamplesDelay(clock::get);
  private final RecordingSpanProcessor downstream = new RecordingSpanProcessor();
  private final List<Long> promises = new ArrayList<>();
  private Runnable arriving = () -> {};
  private final SharedState shared =
      new SharedState(
          localRoots,
          delay,
          again -> {
            promises.add(again);
            arriving.run();
          },
          new SampleReport(null, null),
          10_000);
  private final Releaser releaser =
      new Releaser(new Downstream(downstream, shared), shared, 0, () -> {});
  private final SdkTracerProvider provider =
      SdkTracerProvider.builder().addSpanProcessor(new RecordingSpanProcessor()).build();

  @BeforeEach
  void activate() {
    delay.activate(DELAY_NANOS);
  }

  private void endSpan() {
    ReadableSpan span = (ReadableSpan) provider.get("test").spanBuilder("root").startSpan();
    localRoots.onStart(span.getSpanContext());
    LocalRoot root = localRoots.entryOf(span.getSpanContext());
    root.retain();
    assertThat(releaser.offer(span, root)).isNotEqualTo(Releaser.FULL);
  }

  @Test
  void round_noSpan_sleepsWithoutLimit() {
    assertThat(releaser.round()).isEqualTo(LastingThread.FOREVER);
  }

  @Test
  void round_afterADelivery_passesOnWhatHadEndedBefore() {
    delay.deactivate();
    SamplesDelay ofSampled = new SamplesDelay(clock::get);
    SharedState sampled = new SharedState(localRoots, ofSampled, again -> {}, shared.report, 10);
    Releaser own = new Releaser(new Downstream(downstream, sampled), sampled, 0, () -> {});
    ofSampled.activateForSampled(DELAY_NANOS, () -> {});
    for (int i = 0; i < 2; i++) {
      clock.addAndGet(30 * MILLI);
      ReadableSpan span = (ReadableSpan) provider.get("test").spanBuilder("root").startSpan();
      localRoots.onStart(span.getSpanContext());
      assertThat(own.offer(span, localRoots.entryOf(span.getSpanContext()))).isEqualTo(clock.get());
    }
    assertThat(own.round()).isEqualTo(DELAY_NANOS - 30 * MILLI);
    assertThat(downstream.ended).isEmpty();

    ofSampled.delivered(40 * MILLI);
    assertThat(own.round()).isEqualTo(DELAY_NANOS); // an earlier delivery wakes it
    assertThat(downstream.ended).hasSize(1);
    clock.addAndGet(DELAY_NANOS);
    assertThat(own.round()).isEqualTo(DELAY_NANOS);
    assertThat(downstream.ended).hasSize(2);
  }

  @Test
  void round_oneSpan_comesWhenItIsDue() {
    endSpan();
    clock.addAndGet(30 * MILLI);
    assertThat(releaser.round()).isEqualTo(DELAY_NANOS - 30 * MILLI);

    clock.addAndGet(DELAY_NANOS - 30 * MILLI);
    assertThat(releaser.round()).isEqualTo(DELAY_NANOS); // in case another span ends
    assertThat(downstream.ended).hasSize(1);

    clock.addAndGet(DELAY_NANOS);
    assertThat(releaser.round()).isEqualTo(LastingThread.FOREVER);
  }

  @Test
  void round_nextSpanDueSoon_comesAfterTenMilliseconds() {
    endSpan();
    clock.addAndGet(TICK);
    endSpan();
    clock.addAndGet(DELAY_NANOS - TICK);

    assertThat(releaser.round()).isEqualTo(BATCH_NANOS);
    assertThat(downstream.ended).hasSize(1);
  }

  @Test
  void round_spanReleasedLate_comesInTimeForTheNext() {
    endSpan();
    clock.addAndGet(20 * MILLI);
    endSpan();
    clock.addAndGet(80 * MILLI);
    downstream.onEnd = span -> clock.addAndGet(5 * MILLI);

    assertThat(releaser.round()).isEqualTo(15 * MILLI);
  }

  @Test
  void round_manySpans_comesNoMoreThanAHundredTimesASecond() {
    int rounds = 0;
    long next = 0;
    for (int i = 0; i < 8_000; i++) {
      endSpan();
      if (clock.get() >= next) {
        rounds++;
        next = clock.get() + releaser.round();
      }
      assertThat(releaser.waiting())
          .isLessThanOrEqualTo((DELAY_NANOS + BATCH_NANOS) * 8 / MILLI + 1);
      clock.addAndGet(MILLI / 8);
    }

    assertThat(rounds).isLessThanOrEqualTo(100);
  }

  @Test
  void round_spanWithoutDelay_passesItOnAtOnce() {
    delay.activate(0);
    endSpan();

    assertThat(releaser.round()).isEqualTo(BATCH_NANOS);
    assertThat(downstream.ended).hasSize(1);
  }

  @Test
  void round_spanThatEndsWhileMessagesAreRead_waits() {
    delay.activate(0);
    arriving =
        () -> {
          clock.addAndGet(TICK);
          endSpan();
        };

    assertThat(releaser.round()).isEqualTo(BATCH_NANOS);
    assertThat(downstream.ended).isEmpty();
  }

  @Test
  void messages_oneSpan_areNotPromisedToBeReadAgain() {
    endSpan();
    releaser.round();
    clock.addAndGet(DELAY_NANOS);
    releaser.round();

    assertThat(promises).containsExactly(0L, 0L);
  }

  @Test
  void messages_manySpans_arePromisedToBeReadAgain() {
    for (int i = 0; i < 30; i++) {
      endSpan();
      clock.addAndGet(MILLI);
    }
    clock.addAndGet(DELAY_NANOS - 30 * MILLI);
    for (int i = 0; i < 5; i++) {
      clock.addAndGet(releaser.round());
    }

    long promise = 2 * BATCH_NANOS;
    assertThat(promises).containsExactly(0L, promise, promise, promise, 0L);
  }
}

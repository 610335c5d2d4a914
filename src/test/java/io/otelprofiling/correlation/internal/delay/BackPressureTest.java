/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.delay;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.otelprofiling.correlation.internal.localroot.LocalRootSpans;
import io.otelprofiling.correlation.internal.threads.LastingThread;
import io.otelprofiling.correlation.testing.LogCapturer;
import io.otelprofiling.correlation.testing.RecordingSpanProcessor;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Spans that leave together, and a processor that takes them when the test says so. The test also
 * plays the releaser.
 */
class BackPressureTest {
  private static final int ROOM = 4;
  private static final long SETTLE = TimeUnit.MILLISECONDS.toNanos(10);

  private final AtomicLong clock = new AtomicLong();
  private final LocalRootSpans localRoots = new LocalRootSpans();
  private final SamplesDelay delay = new SamplesDelay(clock::get);
  private final BatchLikeProcessor processor = new BatchLikeProcessor();
  private final SpanProcessors shared =
      new SpanProcessors(localRoots, delay, again -> {}, new SampleReport(null, null), 100);
  private final Releaser releaser =
      new Releaser(new Downstream(processor, shared.report, 0), shared, () -> {});
  private final SdkTracerProvider provider =
      SdkTracerProvider.builder().addSpanProcessor(new RecordingSpanProcessor()).build();

  /** Leaves nothing that a thread would watch. */
  @AfterEach
  void shutDown() {
    processor.flush.succeed();
    processor.shutdown.succeed();
    releaser.shutdown();
    clock.addAndGet(TimeUnit.HOURS.toNanos(1));
    releaser.round();
    releaser.round();
  }

  private void endSpans(int count) {
    delay.activate(TimeUnit.HOURS.toNanos(1));
    for (int i = 0; i < count; i++) {
      ReadableSpan span = (ReadableSpan) provider.get("test").spanBuilder("root").startSpan();
      localRoots.onStart(span.getSpanContext());
      releaser.waiting().offer(span, localRoots.entryOf(span.getSpanContext()));
    }
  }

  @Test
  void flush_moreSpansThanRoom_flushesTheProcessorAfterAllOfThem() throws Exception {
    endSpans(10);
    CompletableResultCode result = releaser.flush();
    releaser.round();
    assertThat(processor.queue).hasSize(ROOM);
    assertThat(processor.flushes).isEqualTo(1); // makes room
    processor.takeAll();
    processor.flush.succeed();
    clock.addAndGet(SETTLE);
    releaser.round();
    assertThat(processor.given).isEqualTo(2 * ROOM);

    processor.flush = new CompletableResultCode();
    processor.takeAll();
    releaser.round();
    assertThat(processor.given).isEqualTo(10);
    assertThat(result.isDone()).isFalse();
    clock.addAndGet(SETTLE);
    releaser.round();
    processor.flush.succeed();
    assertThat(result.isSuccess()).isTrue();
  }

  @Test
  void flush_whileAnEarlierOneIsUnderWay_waitsForItsEnd() throws Exception {
    endSpans(ROOM + 1);
    CompletableResultCode result = releaser.flush();
    releaser.round();
    processor.takeAll();
    releaser.round();
    assertThat(processor.given).isEqualTo(ROOM + 1);
    assertThat(processor.flushes).isEqualTo(1);

    CompletableResultCode underWay = processor.flush;
    processor.flush = CompletableResultCode.ofSuccess();
    underWay.succeed();
    releaser.round();
    assertThat(processor.flushes).isEqualTo(1); // it may not have forgotten that one yet
    clock.addAndGet(SETTLE);
    releaser.round();
    assertThat(processor.flushes).isEqualTo(2);
    assertThat(result.isSuccess()).isTrue();
  }

  @Test
  void shutdown_moreSpansThanRoom_comesAfterAllOfThem() throws Exception {
    endSpans(10);
    releaser.shutdown();
    for (int i = 0; i < 3; i++) {
      assertThat(processor.givenAtShutdown).isEqualTo(-1);
      releaser.round();
      processor.takeAll();
      processor.flush.succeed();
      clock.addAndGet(SETTLE);
    }
    releaser.round();
    clock.addAndGet(SETTLE);
    assertThat(releaser.round()).isEqualTo(LastingThread.END);
    assertThat(processor.givenAtShutdown).isEqualTo(10);
    assertThat(releaser.lost()).isZero();
  }

  @Test
  void shutdown_processorTakesNothing_isSaidInTimeAndEnds() {
    endSpans(50);
    try (LogCapturer log = new LogCapturer()) {
      releaser.shutdown();
      releaser.round();
      clock.addAndGet(TimeUnit.SECONDS.toNanos(8) - 1);
      releaser.keepGoing();
      assertThat(log.warnings()).isEmpty();
      clock.addAndGet(1);
      releaser.keepGoing();
      assertThat(log.warnings()).singleElement().asString().startsWith("46 ended spans still wait");

      releaser.round(); // it has taken nothing for less than ten seconds
      assertThat(processor.given).isEqualTo(ROOM);
      assertThat(processor.givenAtShutdown).isEqualTo(-1);
    }
  }

  @Test
  void shutdown_processorTakesTooSlowly_losesTheRestAndSaysSo() throws Exception {
    endSpans(50);
    try (LogCapturer log = new LogCapturer()) {
      releaser.shutdown();
      for (int second = 0; second < 30; second += 5) {
        releaser.round();
        releaser.keepGoing();
        processor.takeAll();
        clock.addAndGet(TimeUnit.SECONDS.toNanos(5));
      }
      assertThat(releaser.round()).isEqualTo(LastingThread.END);
      assertThat(log.warnings()).hasSize(2);
      assertThat(log.warnings().get(0)).startsWith("38 ended spans still wait");
      assertThat(log.warnings().get(1)).startsWith("26 ended spans are lost");
    }
    assertThat(processor.givenAtShutdown).isEqualTo(24);
    assertThat(releaser.lost()).isEqualTo(26);
    assertThat(releaser.waiting().size()).isZero();
  }

  @Test
  void queue_slowProcessor_holdsWhatLeavesInFiveSeconds() throws Exception {
    endSpans(100);
    releaser.flush();
    for (int i = 0; i < 25; i++) {
      releaser.round();
      processor.takeAll();
      clock.addAndGet(TimeUnit.SECONDS.toNanos(1)); // four spans a second
    }
    assertThat(releaser.waiting().mayWait()).isBetween(20, 33);
    endSpans(100);
    assertThat(releaser.waiting().size()).isBetween(20L, 33L);
  }

  /** Has a queue, and takes spans on another thread than that of the releaser. */
  private static final class BatchLikeProcessor implements SpanProcessor {
    final Queue<ReadableSpan> queue = new ArrayDeque<>();
    final CompletableResultCode shutdown = new CompletableResultCode();
    CompletableResultCode flush = new CompletableResultCode();
    int given;
    int flushes;
    int givenAtShutdown = -1;

    void takeAll() throws InterruptedException {
      Thread worker =
          new Thread(
              () -> {
                for (ReadableSpan span = queue.poll(); span != null; span = queue.poll()) {
                  span.toSpanData();
                }
              });
      worker.start();
      worker.join();
    }

    @Override
    public void onStart(Context parentContext, ReadWriteSpan span) {}

    @Override
    public boolean isStartRequired() {
      return false;
    }

    @Override
    public void onEnd(ReadableSpan span) {
      given++;
      queue.add(span);
    }

    @Override
    public boolean isEndRequired() {
      return true;
    }

    @Override
    public CompletableResultCode forceFlush() {
      flushes++;
      return flush;
    }

    @Override
    public CompletableResultCode shutdown() {
      givenAtShutdown = given;
      return shutdown;
    }

    @Override
    public String toString() {
      return "BatchSpanProcessor{maxExportBatchSize=" + 2 * ROOM + "}";
    }
  }
}

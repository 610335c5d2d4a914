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
import io.flamespan.correlation.testing.LogCapturer;
import io.flamespan.correlation.testing.RecordingSpanProcessor;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanProcessor;
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
  private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

  private final AtomicLong clock = new AtomicLong(1 << 20); // exact in a local root
  private final LocalRootSpans localRoots = new LocalRootSpans();
  private final SamplesDelay delay = new SamplesDelay(clock::get);
  private final BatchLikeProcessor processor = new BatchLikeProcessor();
  private final SharedState shared =
      new SharedState(localRoots, delay, again -> {}, new SampleReport(null, null), 10_000);
  private final SdkTracerProvider provider =
      SdkTracerProvider.builder().addSpanProcessor(new RecordingSpanProcessor()).build();
  private Releaser releaser = releaser(4 * ROOM);

  private Releaser releaser(int queueSize) {
    delay.activate(TimeUnit.HOURS.toNanos(1));
    return new Releaser(new Downstream(processor, shared), shared, queueSize, () -> {});
  }

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
    for (int i = 0; i < count; i++) {
      ReadableSpan span = (ReadableSpan) provider.get("test").spanBuilder("root").startSpan();
      localRoots.onStart(span.getSpanContext());
      LocalRoot root = localRoots.entryOf(span.getSpanContext());
      root.retain();
      assertThat(releaser.offer(span, root)).isNotEqualTo(Releaser.FULL);
    }
  }

  /** Lets time pass, with a round in each millisecond. */
  private void pass(long millis) {
    for (long i = 0; i < millis; i++) {
      releaser.round();
      clock.addAndGet(MILLI);
    }
    releaser.round();
  }

  @Test
  void flush_moreSpansThanRoom_flushesTheProcessorAfterAllOfThem() throws Exception {
    endSpans(10);
    CompletableResultCode result = releaser.flush();
    releaser.round();
    assertThat(processor.queue).hasSize(ROOM);
    assertThat(processor.flushes).as("a push").isEqualTo(1);
    processor.takeAll();
    processor.flush.succeed();
    pass(10);
    assertThat(processor.given).isEqualTo(2 * ROOM);

    processor.takeAll();
    pass(10);
    assertThat(processor.given).isEqualTo(10);
    pass(20);
    assertThat(processor.givenAtFlush).isEqualTo(10);
    assertThat(result.isSuccess()).isTrue();
  }

  @Test
  void flush_spansThatWaitForTheirTurn_comesAfterAllOfThem() {
    releaser = releaser(0);
    for (int i = 0; i < 20; i++) {
      endSpans(1);
      clock.addAndGet(5 * MILLI);
    }
    CompletableResultCode unused = releaser.flush();
    pass(10);
    assertThat(processor.flushes).isZero();
    pass(100);
    assertThat(processor.givenAtFlush).isEqualTo(20);
  }

  @Test
  void flush_whileAPushIsUnderWay_waitsForItsEnd() throws Exception {
    endSpans(ROOM + 1);
    CompletableResultCode result = releaser.flush();
    releaser.round();
    processor.takeAll();
    pass(10);
    assertThat(processor.given).isEqualTo(ROOM + 1);
    assertThat(processor.flushes).isEqualTo(1);
    CompletableResultCode straight = releaser.flush();

    CompletableResultCode underWay = processor.flush;
    processor.flush = CompletableResultCode.ofSuccess();
    underWay.succeed();
    releaser.round();
    assertThat(processor.flushes).as("it may not have forgotten that one yet").isEqualTo(1);
    pass(11);
    assertThat(processor.flushes).isGreaterThan(1);
    assertThat(result.isSuccess()).isTrue();
    assertThat(straight.isSuccess()).isTrue();
  }

  @Test
  void flushes_calledBeforeARound_shareOneFlush() {
    endSpans(1);
    CompletableResultCode first = releaser.flush();
    assertThat(releaser.flush()).isSameAs(first);
    releaser.round();
    assertThat(processor.flushes).isEqualTo(1);

    assertThat(releaser.flush()).as("nothing waits").isSameAs(processor.flush);
    assertThat(processor.flushes).isEqualTo(2);
  }

  @Test
  void flush_aProcessorThatReadsNothing_getsSpansSlowlyAfterASecond() {
    endSpans(500);
    CompletableResultCode result = releaser.flush();
    pass(999);
    assertThat(processor.given).isEqualTo(ROOM);
    processor.flush.succeed();
    pass(600);
    assertThat(processor.given).isEqualTo(500);
    assertThat(result.isSuccess()).isTrue();
  }

  @Test
  void flush_manySpansForAProcessorThatNeverReads_takesAMoment() {
    processor.flush = CompletableResultCode.ofSuccess();
    for (int queueSize : new int[] {4 * ROOM, 0}) {
      processor.given = 0;
      releaser = releaser(queueSize);
      for (int i = 0; i < 9_000; i++) {
        endSpans(1);
        clock.addAndGet(MILLI);
      }
      CompletableResultCode result = releaser.flush();
      pass(500);
      assertThat(processor.given).isEqualTo(9_000);
      assertThat(result.isSuccess()).isTrue();
    }
  }

  @Test
  void steadyLoad_processorThatNeverReads_leavesOneDelayAfterItsEnd() {
    for (int queueSize : new int[] {4 * ROOM, 0}) {
      releaser = releaser(queueSize);
      delay.activate(100 * MILLI);
      for (int i = 0; i < 5_000; i++) {
        endSpans(3);
        pass(1);
        assertThat(releaser.waiting()).isLessThanOrEqualTo(3 * 115);
      }
    }
  }

  @Test
  void burst_processorOfWhichNothingIsKnown_isGivenItInPortions() {
    releaser = releaser(0);
    endSpans(1_000);
    delay.activate(0);
    releaser.round();
    assertThat(processor.given).isEqualTo(100);
    pass(9);
    assertThat(processor.given).isEqualTo(100);
    pass(90);

    assertThat(processor.given).isEqualTo(1_000);
    assertThat(processor.flushes).isZero();
  }

  @Test
  void burst_afterTheProcessorHasHeldMore_isGivenThatManyAtOnce() throws Exception {
    releaser = releaser(0);
    endSpans(600);
    delay.activate(0);
    pass(50);
    processor.takeAll();
    delay.activate(TimeUnit.HOURS.toNanos(1));
    endSpans(2_000);
    delay.activate(0);
    pass(10);

    assertThat(processor.given).isBetween(600 + 600, 600 + 664);
    processor.takeAll();
    pass(10);
    assertThat(processor.given).isBetween(600 + 1_200, 600 + 1_328);
  }

  @Test
  void spans_thatWerePacedWhenTheyEnded_leaveAtThatPaceWhateverTheProcessor() {
    releaser = releaser(0);
    for (int i = 0; i < 200; i++) {
      endSpans(1);
      clock.addAndGet(5 * MILLI);
    }
    delay.activate(TimeUnit.MILLISECONDS.toNanos(1));
    pass(500);
    assertThat(processor.given).isBetween(100, 125);
    pass(500);
    assertThat(processor.given).isEqualTo(200);
  }

  @Test
  void spans_readWithinOnEnd_leaveWhileTwoExportsAreOpen() {
    processor.readsInOnEnd = true;
    releaser = releaser(0);
    endSpans(7);
    CompletableResultCode result = releaser.flush();
    for (int exported = 2; exported < 7; exported += 2) {
      pass(5);
      assertThat(processor.given).isEqualTo(exported);
      CompletableResultCode open = processor.flush;
      processor.flush = CompletableResultCode.ofSuccess();
      open.succeed();
      releaser.round();
      processor.flush = new CompletableResultCode();
      assertThat(processor.given).isGreaterThan(exported);
      if (processor.given == 7) {
        break;
      }
    }
    processor.flush = CompletableResultCode.ofSuccess();
    pass(40);
    assertThat(processor.given).isEqualTo(7);
    assertThat(result.isSuccess()).isTrue();
  }

  @Test
  void exportThatTakesSeconds_whileThisThreadGetsNoCpuEither_isWaitedFor() {
    processor.readsInOnEnd = true;
    releaser = releaser(0);
    endSpans(7);
    CompletableResultCode unused = releaser.flush();
    for (int i = 0; i < 100; i++) {
      releaser.round();
      clock.addAndGet(100 * MILLI);
    }
    assertThat(processor.given).isEqualTo(2);
    pass(3_100);
    assertThat(processor.given).as("one may never end").isEqualTo(7);
  }

  @Test
  void shutdown_moreSpansThanRoom_comesAfterAllOfThem() throws Exception {
    endSpans(10);
    releaser.shutdown();
    while (processor.given < 10) {
      assertThat(processor.givenAtShutdown).isEqualTo(-1);
      pass(10);
      processor.takeAll();
      processor.flush.succeed();
    }
    pass(40);
    assertThat(processor.givenAtShutdown).isEqualTo(10);
    assertThat(releaser.lost()).isZero();
  }

  @Test
  void shutdown_whileAFlushOfTheProcessorIsUnderWay_waitsForItsEnd() throws Exception {
    releaser.flush(); // nothing waits
    endSpans(2);
    releaser.shutdown();
    pass(30);
    processor.takeAll();
    assertThat(processor.given).isEqualTo(2);
    assertThat(processor.givenAtShutdown).isEqualTo(-1);
    processor.flush.succeed();
    pass(9);
    assertThat(processor.givenAtShutdown)
        .as("it may not have forgotten that one yet")
        .isEqualTo(-1);
    pass(20);
    assertThat(processor.givenAtShutdown).isEqualTo(2);
  }

  @Test
  void shutdown_nothingWaitsAndAFlushIsUnderWay_waitsForItsEnd() {
    releaser.flush();
    releaser.shutdown();
    pass(30);
    assertThat(processor.givenAtShutdown).isEqualTo(-1);
    processor.flush.succeed();
    pass(20);
    assertThat(processor.givenAtShutdown).isZero();
  }

  @Test
  void shutdown_processorTakesNothing_isSaidInTimeAndEnds() {
    endSpans(9_000);
    try (LogCapturer log = new LogCapturer()) {
      releaser.shutdown();
      pass(7_999);
      releaser.keepGoing();
      assertThat(log.warnings()).isEmpty();
      pass(1);
      releaser.keepGoing();
      assertThat(log.warnings()).singleElement().asString().contains("ended spans still wait");

      clock.addAndGet(TimeUnit.SECONDS.toNanos(22));
      assertThat(releaser.round()).isEqualTo(LastingThread.END);
      assertThat(log.warnings()).hasSize(2);
      assertThat(log.warnings().get(1)).contains("ended spans are lost");
    }
    assertThat(releaser.lost()).isEqualTo(9_000 - processor.givenAtShutdown);
    assertThat(releaser.waiting()).isZero();
  }

  /** Has a queue, and takes spans on another thread than that of the releaser. */
  private static final class BatchLikeProcessor implements SpanProcessor {
    final Queue<ReadableSpan> queue = new ArrayDeque<>();
    final CompletableResultCode shutdown = new CompletableResultCode();
    CompletableResultCode flush = new CompletableResultCode();
    int given;
    int flushes;
    int givenAtFlush = -1;
    int givenAtShutdown = -1;
    boolean readsInOnEnd;

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
      if (readsInOnEnd) {
        span.toSpanData();
      }
    }

    @Override
    public boolean isEndRequired() {
      return true;
    }

    @Override
    public CompletableResultCode forceFlush() {
      flushes++;
      givenAtFlush = given;
      return flush;
    }

    @Override
    public CompletableResultCode shutdown() {
      givenAtShutdown = given;
      return shutdown;
    }
  }
}

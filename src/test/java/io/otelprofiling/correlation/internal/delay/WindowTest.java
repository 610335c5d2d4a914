/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.delay;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.sdk.common.CompletableResultCode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The test plays the releaser, and on another thread the batch processor. */
class WindowTest {
  private static final String BATCHES =
      "BatchSpanProcessor{spanExporter=e, maxExportBatchSize=16, exporterTimeoutNanos=1}";
  private static final long SETTLE = TimeUnit.MILLISECONDS.toNanos(10);

  private final List<CompletableResultCode> flushes = new ArrayList<>();
  private final AtomicInteger rooms = new AtomicInteger();
  private final List<BatchWindow.Mark> marks = new ArrayList<>();
  private final Window window = window(BATCHES, Integer.MAX_VALUE);
  private long now;

  private Window window(String processor, int maxQueueSize) {
    return Window.of(processor, maxQueueSize, this::flush, rooms::incrementAndGet);
  }

  private CompletableResultCode flush() {
    CompletableResultCode result = new CompletableResultCode();
    flushes.add(result);
    return result;
  }

  /** Gives spans while there is room. Returns how many. */
  private int fill(Window filled, int idsEach) {
    int count = 0;
    for (; filled.isOpen(); count++) {
      BatchWindow.Mark mark = filled.next(idsEach);
      filled.give(mark);
      if (mark != null) {
        marks.add(mark);
      }
    }
    return count;
  }

  private void take(int upTo) throws InterruptedException {
    Thread processor = new Thread(marks.get(upTo)::taken);
    processor.start();
    processor.join();
  }

  @ParameterizedTest
  @CsvSource({
    "'BatchSpanProcessor{maxExportBatchSize=512}', 2147483647, 256",
    "'BatchSpanProcessor{maxExportBatchSize=512}', 100, 50",
    "'BatchSpanProcessor{maxExportBatchSize=1}', 2147483647, 1",
    "'Filter{[BatchSpanProcessor{maxExportBatchSize=512}, BatchSpanProcessor{maxExportBatchSize=8}]}', 2147483647, 4",
    "'SimpleSpanProcessor{spanExporter=e}', 2147483647, 4",
    "'mine, maxExportBatchSize=7', 2147483647, 512"
  })
  void window_kindOfProcessor_decidesItsSize(String processor, int maxQueueSize, int spans) {
    assertThat(fill(window(processor, maxQueueSize), 0)).isEqualTo(spans);
  }

  @Test
  void window_takenOnTheThreadThatGives_staysClosed() {
    fill(window, 0);
    marks.forEach(BatchWindow.Mark::taken); // by a filter in front of the queue

    assertThat(window.isOpen()).isFalse();
  }

  @Test
  void window_partOfItTaken_opensByThatMuch() throws Exception {
    fill(window, 0);
    take(1); // the second of four marks

    assertThat(fill(window, 0)).isEqualTo(4);
  }

  @Test
  void window_manyIds_closesAfterTheLimit() throws Exception {
    assertThat(fill(window, 5_000)).isEqualTo(4);
    take(3);
    assertThat(fill(window, 16_384)).isEqualTo(1);
  }

  @Test
  void room_whileTheReleaserWaits_wakesItOnce() throws Exception {
    fill(window, 0);
    take(0);
    fill(window, 0);
    assertThat(rooms).hasValue(0);

    window.press(now);
    take(1); // half of it is still not taken
    assertThat(rooms).hasValue(0);
    take(3);
    take(4);
    assertThat(rooms).hasValue(1);
  }

  @Test
  void press_flushPending_isNotRepeated() {
    fill(window, 0);
    window.press(now);
    window.press(now + SETTLE);
    assertThat(flushes).hasSize(1);
    assertThat(window.isQuiet(now + SETTLE)).isFalse();
  }

  @Test
  void press_threeFlushesEndWithoutEffect_opens() {
    fill(window, 0);
    for (int i = 1; i <= 3; i++) {
      window.press(now);
      assertThat(flushes).hasSize(i);
      flushes.get(i - 1).succeed();
      window.press(now += 1); // may be the result of an earlier flush, which has just ended
      assertThat(flushes).hasSize(i);
      now += SETTLE;
      assertThat(window.isOpen()).isFalse();
    }
    window.press(now);
    assertThat(window.isOpen()).isTrue();
    assertThat(fill(window, 0)).isEqualTo(8);
  }

  @Test
  void press_nothingTakenForTooLong_opensUntilSomethingIsTaken() throws Exception {
    fill(window, 0);
    window.press(now);
    window.press(now + BatchWindow.PATIENCE_NANOS - 1);
    assertThat(window.isOpen()).isFalse();

    window.press(now + BatchWindow.PATIENCE_NANOS);
    for (int i = 0; i < 10; i++) {
      assertThat(window.isOpen()).isTrue();
      window.give(null);
    }
    take(0);
    assertThat(window.isOpen()).isFalse();
  }

  @Test
  void quiet_afterAFlush_comesAfterAPause() {
    assertThat(window.isQuiet(now)).isTrue();
    fill(window, 0);
    window.press(now);
    flushes.get(0).succeed();
    assertThat(window.isQuiet(now)).isFalse();
    assertThat(window.isQuiet(now + SETTLE - 1)).isFalse();
    assertThat(window.isQuiet(now + SETTLE)).isTrue();
  }

  @Test
  void simple_exportsOpen_waitsForThem() {
    Window simple = window("SimpleSpanProcessor{}", Integer.MAX_VALUE);
    assertThat(fill(simple, 1)).isEqualTo(4);
    simple.press(now);
    flushes.get(0).succeed();
    assertThat(rooms).hasValue(1);
    assertThat(fill(simple, 1)).isEqualTo(4);
    assertThat(flushes).hasSize(2);
  }

  @Test
  void simple_exportThatDoesNotEnd_holdsUpOthersForALimitedTime() {
    Window simple = window("SimpleSpanProcessor{}", Integer.MAX_VALUE);
    fill(simple, 1);
    simple.press(now);
    simple.press(now + BatchWindow.PATIENCE_NANOS - 1);
    assertThat(simple.isOpen()).isFalse();
    simple.press(now + BatchWindow.PATIENCE_NANOS);
    assertThat(simple.isOpen()).isTrue();

    flushes.get(0).fail();
    assertThat(fill(simple, 1)).isEqualTo(4);
  }

  @Test
  void other_nextRound_hasTheSameRoom() {
    Window other = window("mine", Integer.MAX_VALUE);
    fill(other, 1);
    assertThat(other.isOpen()).isFalse();
    other.beginRound();
    assertThat(fill(other, 1)).isEqualTo(512);
    assertThat(flushes).isEmpty();
  }
}

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
import java.util.concurrent.atomic.AtomicReference;
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
  private final List<MarkedWindow.Mark> marks = new ArrayList<>();
  private final Window window = window(BATCHES, 0);
  private long now;

  private Window window(String processor, int queueSize) {
    return Window.of(processor, queueSize, this::flush, rooms::incrementAndGet);
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
      MarkedWindow.Mark mark = filled.next(idsEach);
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
    "'BatchSpanProcessor{maxExportBatchSize=512}', 0, 256",
    "'BatchSpanProcessor{maxExportBatchSize=512}', 100, 50",
    "'BatchSpanProcessor{maxExportBatchSize=512}', 2048, 256",
    "'BatchSpanProcessor{maxExportBatchSize=512}', 100000, 12500",
    "'BatchSpanProcessor{maxExportBatchSize=1}', 0, 1",
    "'Filter{[BatchSpanProcessor{maxExportBatchSize=512}, BatchSpanProcessor{maxExportBatchSize=8}]}', 0, 4",
    "'SimpleSpanProcessor{spanExporter=e}', 0, 2",
    "'mine, maxExportBatchSize=7', 0, 512"
  })
  void window_kindOfProcessor_decidesItsSize(String processor, int queueSize, int spans) {
    assertThat(fill(window(processor, queueSize), 0)).isEqualTo(spans);
  }

  @Test
  void window_takenOnTheThreadThatGives_staysClosed() {
    fill(window, 0);
    marks.forEach(MarkedWindow.Mark::taken); // by a filter in front of the queue

    assertThat(window.isOpen()).isFalse();
  }

  @Test
  void window_partOfItTaken_opensByThatMuch() throws Exception {
    fill(window, 0);
    take(1); // the second of four marks

    assertThat(fill(window, 0)).isEqualTo(4);
  }

  @Test
  void window_manyIds_opensWhenTheyAreExported() throws Exception {
    assertThat(fill(window, 10_000)).isEqualTo(4);
    window.press(now);
    take(3);
    assertThat(window.isOpen()).isFalse(); // they may all be in one batch, with those before
    flushes.get(0).succeed(); // may have begun before the last one was taken
    window.press(now);
    assertThat(window.isOpen()).isFalse();

    window.press(now + SETTLE);
    assertThat(flushes).hasSize(2);
    flushes.get(1).succeed();
    window.press(now + SETTLE);
    assertThat(fill(window, 40_000)).isEqualTo(1);
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
  void press_nothingTakenForTooLong_opensForOneMoreWindow() {
    fill(window, 0);
    window.press(now);
    window.press(now + Window.PATIENCE_NANOS - 1);
    assertThat(window.isOpen()).isFalse();

    window.press(now + Window.PATIENCE_NANOS);
    assertThat(fill(window, 0)).isEqualTo(8);
    long later = now + Window.PATIENCE_NANOS + 1;
    window.press(later);
    window.press(later + Window.PATIENCE_NANOS - 1);
    assertThat(window.isOpen()).isFalse(); // it has its own patience
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
  void quiet_whileAnotherFlushIsUnderWay_comesAfterIt() {
    CompletableResultCode flush = new CompletableResultCode();
    window.flushing(flush, now);
    assertThat(window.isQuiet(now)).isFalse();
    flush.succeed();
    assertThat(window.isQuiet(now)).isFalse();
    assertThat(window.isQuiet(now + SETTLE)).isTrue();
  }

  @Test
  void simple_exportsOpen_waitsForThem() {
    AtomicReference<CompletableResultCode> exports = new AtomicReference<>(flush());
    Window simple = Window.of("SimpleSpanProcessor{}", 9, exports::get, rooms::incrementAndGet);
    assertThat(fill(simple, 1)).isEqualTo(2);
    simple.press(now);
    assertThat(simple.isOpen()).isFalse();
    exports.get().succeed();
    assertThat(rooms).hasValue(1);
    assertThat(simple.isOpen()).isTrue();

    exports.set(flush());
    assertThat(fill(simple, 1)).isEqualTo(2);
  }

  @Test
  void simple_resultThatTheSdkNeverCompletes_isNotWaitedFor() {
    AtomicReference<CompletableResultCode> exports = new AtomicReference<>(flush());
    Window simple = Window.of("SimpleSpanProcessor{}", 9, exports::get, rooms::incrementAndGet);
    fill(simple, 1);
    simple.press(now);
    exports.set(CompletableResultCode.ofSuccess()); // no exports are open

    assertThat(simple.isOpen()).isTrue();
  }

  @Test
  void simple_exportThatDoesNotEnd_holdsUpOthersForALimitedTime() {
    AtomicReference<CompletableResultCode> exports =
        new AtomicReference<>(CompletableResultCode.ofSuccess());
    Window simple = Window.of("SimpleSpanProcessor{}", 9, exports::get, rooms::incrementAndGet);
    exports.set(flush());
    fill(simple, 1);
    simple.press(now);
    exports.get().succeed();
    assertThat(simple.isOpen()).isTrue(); // this exporter reports the end of exports

    exports.set(flush());
    assertThat(fill(simple, 1)).isEqualTo(2);
    simple.press(now);
    simple.press(now + Window.PATIENCE_NANOS - 1);
    assertThat(simple.isOpen()).isFalse();
    simple.press(now + Window.PATIENCE_NANOS);
    assertThat(fill(simple, 1)).isEqualTo(2);
  }

  @Test
  void simple_exporterThatNeverReports_isNotWaitedForAgain() {
    Window simple = window("SimpleSpanProcessor{}", 9);
    fill(simple, 1);
    simple.press(now);
    simple.press(now + Window.PATIENCE_NANOS);
    for (int i = 0; i < 100; i++) {
      assertThat(simple.isOpen()).isTrue();
      simple.give(null);
    }
  }

  @Test
  void other_thatTakesNothingLater_getsAFewWindowsAndThenAll() {
    Window other = window("mine", 0);
    for (int i = 0; i < 4; i++) {
      assertThat(fill(other, 1)).isEqualTo(512);
      other.press(now);
      other.beginRound();
    }
    for (int i = 0; i < 10_000; i++) {
      assertThat(other.isOpen()).isTrue();
      other.give(other.next(0));
    }
    assertThat(flushes).isEmpty();
  }

  @Test
  void other_seenToTakeSpansLater_isWaitedForForASecond() throws Exception {
    Window other = window("a wrapper", 0);
    fill(other, 0);
    other.press(now);
    take(3);
    other.press(now);
    fill(other, 0);
    other.beginRound();
    assertThat(other.isOpen()).isFalse();

    other.press(now);
    other.press(now + TimeUnit.SECONDS.toNanos(1) - 1);
    assertThat(other.isOpen()).isFalse();
    other.press(now + TimeUnit.SECONDS.toNanos(1));
    assertThat(other.isOpen()).isTrue();
  }
}

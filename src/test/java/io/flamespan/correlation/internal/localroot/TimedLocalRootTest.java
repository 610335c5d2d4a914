/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.localroot;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.trace.ReadableSpan;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimedLocalRootTest {
  private static final long MS = 1_000_000;
  private static final int BOTH = 3;

  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - MS); // nanoTime may overflow
  private final AtomicLong stopped = new AtomicLong(5 * MS);
  private final AtomicLong cpu = new AtomicLong(7 * MS);
  private final AtomicLong runQueue = new AtomicLong(9 * MS);
  private int known = BOTH;
  private int reads; // of the times of threads

  private TimedLocalRoot root() {
    return new TimedLocalRoot(
        this, new SpanTimes(now::get, stopped::get, times -> known & since(times)));
  }

  private int since(long[] times) {
    reads++;
    times[0] = cpu.get() - times[0];
    times[1] = runQueue.get() - times[1];
    return BOTH;
  }

  private void pass(long ofAll, long ofStops, long ofCpu, long ofRunQueue) {
    now.addAndGet(ofAll);
    stopped.addAndGet(ofStops);
    cpu.addAndGet(ofCpu);
    runQueue.addAndGet(ofRunQueue);
  }

  private static Map<AttributeKey<?>, Object> times(TimedLocalRoot root, long duration) {
    return root.times(duration).asMap();
  }

  @Test
  void times_ofEndedSpan_areThoseUntilTheFirstEnd() {
    TimedLocalRoot root = root();
    pass(100 * MS, 20 * MS, 30 * MS, 40 * MS);
    root.endTimes();
    pass(100 * MS, 20 * MS, 30 * MS, 40 * MS);
    root.endTimes();

    assertThat(times(root, 100 * MS))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(SpanTimes.STOPPED, 0.02, SpanTimes.CPU, 0.03, SpanTimes.RUN_QUEUE, 0.04));
  }

  @Test
  void times_zeroes_areValues() {
    TimedLocalRoot root = root();
    pass(1, 0, 0, 0);
    root.endTimes();

    assertThat(times(root, 1))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(SpanTimes.STOPPED, 0.0, SpanTimes.CPU, 0.0, SpanTimes.RUN_QUEUE, 0.0));
  }

  @Test
  void times_ofSpanThatEndedBeforeItsBegin_areNotKnown() {
    TimedLocalRoot root = root();
    pass(1, 0, 1, 1);
    root.endTimes();

    assertThat(times(root, -1)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"-1, 0", "999999, 0", "1000000, 3", "3000000, 3", "3000001, 0"})
  void times_ofSpanWithOtherTimestamps_areNotKnown(long duration, int attributes) {
    TimedLocalRoot root = root();
    pass(2 * MS, MS, MS, MS);
    root.endTimes();

    assertThat(times(root, duration)).hasSize(attributes);
  }

  @ParameterizedTest
  @CsvSource({"989, 0", "991, 3", "1000, 3", "1010, 3", "1011, 0"})
  void times_ofLongSpan_mayDifferByAHundredth(long millis, int attributes) {
    TimedLocalRoot root = root();
    pass(1_000 * MS, MS, MS, MS);
    root.endTimes();

    assertThat(times(root, millis * MS)).hasSize(attributes);
  }

  @Test
  void stoppedTime_ofStopBeforeTheSpan_isNotKnown() {
    TimedLocalRoot root = root();
    pass(2 * MS, 3 * MS, MS, MS);
    root.endTimes();

    assertThat(times(root, 2 * MS)).containsOnlyKeys(SpanTimes.CPU, SpanTimes.RUN_QUEUE);
  }

  @Test
  void times_thatExceedTheDurationByLittle_areTheDuration() {
    TimedLocalRoot root = root();
    pass(2 * MS, 2 * MS, 2 * MS, 2 * MS);
    root.endTimes();

    assertThat(times(root, 2 * MS - 1_000).values()).hasSize(3).containsOnly(0.001999);
  }

  @ParameterizedTest
  @CsvSource({"1, 3, 1", "2, 3, 1", "3, 1, 1", "3, 0, 0", "0, 3, 0"})
  void timesOfThread_oneUnknownAtOneEnd_areThoseKnownAtBoth(int begin, int end, int ofThread) {
    known = begin;
    TimedLocalRoot root = root();
    known = end;
    pass(2 * MS, 0, MS, MS);
    root.endTimes();

    assertThat(times(root, 2 * MS)).hasSize(1 + ofThread).containsKey(SpanTimes.STOPPED);
  }

  @Test
  void timesOfThread_thatDidNotBeginTheSpan_areNotRead() throws InterruptedException {
    TimedLocalRoot root = root();
    pass(2 * MS, 0, MS, MS);
    Thread other = new Thread(root::endTimes);
    other.start();
    other.join();

    assertThat(times(root, 2 * MS)).containsOnlyKeys(SpanTimes.STOPPED);
    assertThat(reads).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void times_withAClockThatFails_areNotKnown(int failing) {
    AtomicInteger calls = new AtomicInteger();
    SpanTimes clocks =
        new SpanTimes(
            now::get,
            () -> {
              if (calls.incrementAndGet() == failing) {
                throw new NoClassDefFoundError("test");
              }
              return 0;
            },
            this::since);
    TimedLocalRoot root = new TimedLocalRoot(this, clocks);
    pass(2 * MS, 0, MS, MS);
    root.endTimes();

    ReadableSpan span =
        (ReadableSpan)
            Proxy.newProxyInstance(
                ReadableSpan.class.getClassLoader(),
                new Class<?>[] {ReadableSpan.class},
                (proxy, latency, none) -> 2 * MS);
    assertThat(root.times(span).isEmpty()).isTrue();
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.junit.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.junit.internal.TestRecorder.Recorded;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Promise: on each thread, the span of the test that it runs is current, whoever else runs. */
class TestSpansTest {
  private static final long BURNT_NANOS = 50_000_000;

  private final Map<String, Long> cpuNanos = new ConcurrentHashMap<>();
  private final List<String> events = Collections.synchronizedList(new ArrayList<>());
  private final TestSpans spans = new TestSpans(new FakeRecorder());
  private final ExecutorService other = Executors.newSingleThreadExecutor();

  @AfterEach
  void end() {
    other.shutdownNow();
  }

  private void begin(String id) {
    spans.begin("plan", id, id, Map.of());
  }

  private void end(String id) {
    spans.end("plan", id, Map.of(), false);
  }

  private void elsewhere(Runnable step) throws Exception {
    Future<?> done = other.submit(step);
    assertThat(done.get()).isNull();
  }

  @Test
  void test_withinAClassOrAnotherTest_returnsToIt() {
    begin("a");
    begin("b");
    end("b");
    end("a");

    assertThat(events)
        .containsExactly("begin a", "begin b", "leave b", "end b", "leave a", "end a");
  }

  @Test
  void test_thatAnotherThreadEnds_isLeftByItsOwn() throws Exception {
    begin("a");
    elsewhere(() -> end("a"));
    assertThat(events).containsExactly("begin a", "end a");

    begin("b");
    end("b");
    assertThat(events)
        .containsExactly("begin a", "end a", "leave a", "begin b", "leave b", "end b");
  }

  @Test
  void tests_onOtherThreads_leaveTheClassAlone() throws Exception {
    begin("A");
    elsewhere(() -> begin("A.a"));
    elsewhere(() -> end("A.a"));
    end("A");

    assertThat(events)
        .containsExactly("begin A", "begin A.a", "leave A.a", "end A.a", "leave A", "end A");
  }

  @Test
  void tests_thatEndInAnotherOrder_areLeftInTheRightOne() {
    begin("a");
    begin("b");
    end("a");
    end("b");

    assertThat(events)
        .containsExactly("begin a", "begin b", "leave b", "leave a", "end a", "end b");
  }

  @Test
  void cpuTime_ofATestWithinAnother_isItsAlone() {
    begin("a");
    begin("b");
    burn();
    end("b");
    end("a");

    assertThat(cpuNanos.get("b")).isGreaterThanOrEqualTo(BURNT_NANOS);
    assertThat(cpuNanos.get("a")).isBetween(0L, cpuNanos.get("b"));
  }

  @Test
  void cpuTime_ofATestThatAnotherThreadEnds_isNotKnown() throws Exception {
    begin("a");
    elsewhere(() -> end("a"));

    assertThat(cpuNanos).containsEntry("a", -1L);
  }

  private static void burn() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long end = threads.getCurrentThreadCpuTime() + BURNT_NANOS;
    while (threads.getCurrentThreadCpuTime() < end) {
      // Until the thread has used it.
    }
  }

  @Test
  void tests_thatStillRun_endWithTheJvm() throws Exception {
    begin("A");
    begin("a");
    elsewhere(spans::endAll);

    assertThat(events).containsExactlyInAnyOrder("begin A", "begin a", "end A", "end a");
  }

  @Test
  void test_thatTwoPlansRunAtOnce_hasASpanInEach() throws Exception {
    spans.begin("outer", "a", "a of outer", Map.of());
    elsewhere(() -> spans.begin("inner", "a", "a of inner", Map.of()));
    spans.end("outer", "a", Map.of(), false);
    elsewhere(() -> spans.end("inner", "a", Map.of(), false));

    assertThat(events)
        .containsExactly(
            "begin a of outer",
            "begin a of inner",
            "leave a of outer",
            "end a of outer",
            "leave a of inner",
            "end a of inner");
  }

  @Test
  void end_ofAnUnknownTest_isIgnored() {
    end("a");

    assertThat(events).isEmpty();
  }

  private final class FakeRecorder implements TestRecorder {
    @Override
    public Recorded begin(String name, Map<String, String> attributes) {
      events.add("begin " + name);
      return new Recorded() {
        @Override
        public void leave() {
          events.add("leave " + name);
        }

        @Override
        public void end(Map<String, String> attributes, boolean hasFailed, long cpuNanos) {
          events.add("end " + name);
          TestSpansTest.this.cpuNanos.put(name, cpuNanos);
        }
      };
    }

    @Override
    public boolean isProfiling() {
      return true;
    }

    @Override
    public boolean flush(long millis) {
      return true;
    }

    @Override
    public void close() {}
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.flamespan.correlation.internal.embedded.CarrierReport;
import io.flamespan.correlation.internal.embedded.Work;
import io.flamespan.correlation.internal.posix.ConfiguredDirectory;
import java.io.IOException;
import java.lang.Thread.State;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Waits of followed threads are sampled, also in a session that begins later. */
class WaitingThreadsTest {
  private static final long PERIOD = 10_000_000;
  private static final Work WORK = new Work(1, 2, 3, 4);
  private static final CompletableFuture<Long> CARRIER = new CompletableFuture<>();
  private static final CountDownLatch PINNED_ENDS = new CountDownLatch(1);

  /** Keeps the virtual thread that loads it on its carrier. */
  private static final class Pinned {
    static {
      try {
        Path self = Files.readSymbolicLink(Path.of("/proc/thread-self"));
        CARRIER.complete(Long.valueOf(self.getFileName().toString()));
        PINNED_ENDS.await();
      } catch (IOException | InterruptedException e) {
        CARRIER.completeExceptionally(e);
      }
    }

    static void load() {}
  }

  private final FollowedThreads threads = new FollowedThreads();
  private final List<JoinedSample> received = new CopyOnWriteArrayList<>();

  @Test
  void waits_ofThreadFollowedBeforeTheSession_areSampled() throws Exception {
    ProcessProfiler profiler = ProcessProfiler.load(ConfiguredDirectory.TEMPORARY);
    CountDownLatch followed = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    Thread waiting = new Thread(() -> followAndWait(profiler, followed, end), "waiting");
    waiting.start();
    followed.await();
    collectUntilWaitOf("waiting", profiler, new FollowedCarriers(null));

    end.countDown();
    waiting.join();
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21)
  void waits_ofCarrierThatWaitedBeforeTheSession_areSampled() throws Exception {
    ProcessProfiler profiler = ProcessProfiler.load(ConfiguredDirectory.TEMPORARY);
    Thread.class
        .getMethod("startVirtualThread", Runnable.class)
        .invoke(null, (Runnable) Pinned::load);
    long carrier = CARRIER.get();
    FollowedCarriers carriers =
        new FollowedCarriers(
            new StubCarriers() {
              @Override
              public void take(Receiver receiver) {
                receiver.onCarrier(
                    carrier, List.of(), new CarrierReport(Long.MAX_VALUE, false, WORK, WORK));
              }
            });
    carriers.begin(profiler.lastSample(), true);

    collectUntilWaitOf("ForkJoinPool", profiler, carriers);

    PINNED_ENDS.countDown();
  }

  private void collectUntilWaitOf(String name, ProcessProfiler profiler, FollowedCarriers carriers)
      throws Exception {
    EmbeddedAsyncProfiler.addListener((samples, periodNanos) -> received.addAll(samples));
    Collector collector =
        new Collector(
            profiler,
            PERIOD,
            false,
            EnumSet.of(SampleKind.CPU, SampleKind.WALL),
            threads,
            carriers,
            new Join(threads, carriers, (work, high, low, count) -> {}, 10_000_000));
    await().atMost(Duration.ofMinutes(1)).until(() -> collector.collect() && hasWaitOf(name));
    collector.stop();
  }

  /** async-profiler takes the monitor of each thread. */
  @Test
  void threadWhoseMonitorIsHeld_holdsUpOneThreadInAllSessions() throws Exception {
    ProcessProfiler profiler = ProcessProfiler.load(ConfiguredDirectory.TEMPORARY);
    WaitingThreads waits = new WaitingThreads();
    Thread held = new Thread("held");
    List<FollowedThread> known = List.of(new FollowedThread(held, () -> WORK));
    synchronized (held) {
      waits.begin(profiler, known);
      await().atMost(Duration.ofMinutes(1)).until(() -> adding().equals(List.of(State.BLOCKED)));

      waits.begin(profiler, known);

      assertThat(adding()).hasSize(1);
    }
    await().atMost(Duration.ofMinutes(1)).until(() -> adding().isEmpty());
    waits.begin(profiler, known); // not held up any more
  }

  private static List<State> adding() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("flamespan-waits"))
        .map(Thread::getState)
        .toList();
  }

  private void followAndWait(
      ProcessProfiler profiler, CountDownLatch followed, CountDownLatch end) {
    try {
      threads.follow(profiler.lastSample(), () -> WORK, () -> WORK, null);
      followed.countDown();
      end.await();
    } catch (InterruptedException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private boolean hasWaitOf(String name) {
    return received.stream()
        .anyMatch(
            sample ->
                sample.kind == SampleKind.WALL
                    && sample.work == WORK
                    && sample.threadName.startsWith(name));
  }
}

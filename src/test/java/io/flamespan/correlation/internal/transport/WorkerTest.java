/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.transport;

import static io.flamespan.correlation.internal.transport.RunningWorker.LIMIT;
import static io.flamespan.correlation.testing.RecordingHandler.correlation;
import static io.flamespan.correlation.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.testing.Datagrams;
import io.flamespan.correlation.testing.LogCapturer;
import io.flamespan.correlation.testing.RecordingHandler;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkerTest {
  @TempDir(factory = ShortTempDir.class)
  Path dir;

  private final RecordingHandler handler = new RecordingHandler();

  /** Returns what receives. */
  Sockets sockets() {
    return Sockets.NATIVE;
  }

  @Test
  void thread_started_isANamedDaemon() throws Exception {
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    Thread.currentThread().setContextClassLoader(new ClassLoader(before) {});
    try (RunningWorker running = new RunningWorker(dir, handler, sockets())) {
      assertThat(running.thread.isDaemon()).isTrue();
      assertThat(running.thread.getName()).isEqualTo("flamespan-worker");
      assertThat(running.thread.getContextClassLoader()).isSameAs(Worker.class.getClassLoader());
    } finally {
      Thread.currentThread().setContextClassLoader(before);
    }
  }

  /** Blocks in a registration message until it is released. */
  private static final class SlowHandler extends RecordingHandler {
    final CountDownLatch arrived = new CountDownLatch(1);
    final CountDownLatch release = new CountDownLatch(1);

    @Override
    public void onRegistration(long samplesDelayMillis, String hostId) {
      super.onRegistration(samplesDelayMillis, hostId);
      arrived.countDown();
      awaitLatch(release);
    }
  }

  @Nested
  class Datagram {
    @Test
    void datagrams_several_areAllHandedOver() throws Exception {
      try (RunningWorker running = new RunningWorker(dir, handler, sockets())) {
        running.send(Datagrams.registration(7, "host"));
        for (int i = 1; i < 500; i++) {
          running.send(Datagrams.correlation(i));
        }
        running.finishAll();
      }

      // Two threads empty the socket, so the order may be another one.
      assertThat(handler.calls).hasSize(500).contains("registration 7 'host'");
      assertThat(handler.calls)
          .containsAll(IntStream.range(1, 500).mapToObj(RecordingHandler::correlation).toList());
    }

    @Test
    void datagrams_garbage_isDroppedAndCounted() throws Exception {
      try (LogCapturer logs = new LogCapturer();
          RunningWorker running = new RunningWorker(dir, handler, sockets())) {
        running.send(Datagrams.correlation(1));
        running.send(new byte[0]); // is ignored
        running.send(new byte[] {1});
        running.send(Datagrams.cut(Datagrams.correlation(9), 45));
        running.send(Datagrams.unknown(3, 100));
        running.send(new byte[65_536]);
        running.send(new byte[100_000]);
        running.send(Datagrams.correlation(2));
        running.finishAll();

        assertThat(handler.calls).containsExactlyInAnyOrder(correlation(1), correlation(2));
        assertThat(running.decoder.invalidMessages()).isEqualTo(5);
        assertThat(running.decoder.datagrams()).isEqualTo(8);
        assertThat(logs.warnings()).hasSize(1);
      }
    }

    @Test
    void datagram_shorterThanTheOneBefore_isReadAlone() throws Exception {
      try (LogCapturer logs = new LogCapturer();
          RunningWorker running = new RunningWorker(dir, handler, sockets())) {
        running.send(Datagrams.correlation(1));
        running.send(Datagrams.cut(Datagrams.correlation(2), 44));
        running.finishAll();

        assertThat(handler.calls).containsExactly(correlation(1));
        assertThat(logs.warnings()).hasSize(1);
      }
    }

    @Test
    void datagram_largeOfANewerVersion_isUnderstood() throws Exception {
      try (RunningWorker running = new RunningWorker(dir, handler, sockets())) {
        running.send(Datagrams.correlation(2, 3, 65_535 - 46));
        running.finishAll();

        assertThat(handler.calls).containsExactly(correlation(3));
        assertThat(running.decoder.invalidMessages()).isZero();
      }
    }

    @Test
    void datagrams_allQueued_areHandledForAnyCaller() throws Exception {
      RecordingHandler handler = new RecordingHandler();
      try (RunningWorker running = new RunningWorker(dir, handler, sockets())) {
        for (int i = 1; i <= 1_000; i++) {
          running.send(Datagrams.correlation(i));
          running.worker.handleArrived(i % 2 == 0 ? 0 : TimeUnit.MILLISECONDS.toNanos(20));

          assertThat(handler.calls).hasSize(i).endsWith(correlation(i));
        }
      }
    }

    @Test
    void datagram_withABrokenPromise_isHandledByTheWorker() throws Exception {
      RecordingHandler handler = new RecordingHandler();
      try (RunningWorker running = new RunningWorker(dir, handler, sockets())) {
        running.worker.handleArrived(LIMIT.toNanos());
        running.send(Datagrams.correlation(1));

        await().until(() -> handler.calls.size() == 1);
      }
    }

    @Test
    void datagrams_allQueued_areHandledBeforeTheWorkStep() throws Exception {
      SlowHandler slow = new SlowHandler();
      List<Integer> seenByWorkStep = new CopyOnWriteArrayList<>();
      try (RunningWorker running =
          new RunningWorker(
              dir,
              slow,
              () -> {
                seenByWorkStep.add(slow.calls.size());
                return Worker.NOTHING_DUE;
              },
              sockets())) {
        running.send(Datagrams.registration(1, ""));
        awaitLatch(slow.arrived);
        for (int i = 0; i < 8; i++) { // fits into the shortest possible queue
          running.send(Datagrams.correlation(i));
        }
        slow.release.countDown();
        running.finishAll();
        await().until(() -> seenByWorkStep.contains(9));

        assertThat(seenByWorkStep).containsOnly(0, 9);
      }
    }
  }

  @Nested
  class Task {
    @Test
    void task_afterDatagramsWereSent_comesAfterThem() throws Exception {
      try (RunningWorker running = new RunningWorker(dir, handler, sockets())) {
        for (int i = 1; i <= 300; i++) {
          running.send(Datagrams.correlation(1));

          assertThat(running.call(handler.calls::size)).isEqualTo(i);
        }
      }
    }

    @Test
    void task_afterDatagramsPiledUp_comesAfterAll() throws Exception {
      int correlations = 18_000; // about as many as fit in addition to the kernel's queue
      SlowHandler slow = new SlowHandler();
      try (RunningWorker running = new RunningWorker(dir, slow, sockets())) {
        running.send(Datagrams.registration(1, ""));
        awaitLatch(slow.arrived);
        for (int i = 0; i < correlations; i++) {
          running.send(Datagrams.correlation(i));
        }
        CompletableFuture<Integer> seenByTask = new CompletableFuture<>();
        running.worker.execute(() -> seenByTask.complete(slow.calls.size()));
        slow.release.countDown();

        assertThat(seenByTask.get(LIMIT.toSeconds(), TimeUnit.SECONDS)).isEqualTo(1 + correlations);
      }
    }

    @Test
    void task_afterManyEmptyDatagrams_runsAfterAll() throws Exception {
      // An empty datagram takes four bytes of a megabyte. jnr moves each one more slowly.
      int empty = sockets() == Sockets.NATIVE ? 200_000 : 40_000;
      SlowHandler slow = new SlowHandler();
      try (LogCapturer logs = new LogCapturer();
          RunningWorker running = new RunningWorker(dir, slow, sockets())) {
        running.send(Datagrams.registration(1, ""));
        awaitLatch(slow.arrived);
        for (int i = 0; i < empty; i++) {
          running.send(new byte[0]);
        }
        running.send(Datagrams.correlation(1));
        CompletableFuture<Integer> seenByTask = new CompletableFuture<>();
        running.worker.execute(() -> seenByTask.complete(slow.calls.size()));
        slow.release.countDown();

        assertThat(seenByTask.get(LIMIT.toSeconds(), TimeUnit.SECONDS)).isEqualTo(2);
        assertThat(running.decoder.datagrams()).isEqualTo(empty + 2);
        assertThat(running.decoder.invalidMessages()).isZero();
        assertThat(logs.warnings()).isEmpty();
      }
    }

    @Test
    void tasks_several_keepTheirOrder() throws Exception {
      List<Integer> order = new CopyOnWriteArrayList<>();
      try (RunningWorker running = new RunningWorker(dir, handler, sockets())) {
        for (int i = 0; i < 500; i++) {
          int number = i;
          running.worker.execute(() -> order.add(number));
        }
        running.finishAll();
      }

      assertThat(order).isEqualTo(IntStream.range(0, 500).boxed().toList());
    }

    @Test
    void task_addingAnother_isFollowedByIt() throws Exception {
      CountDownLatch done = new CountDownLatch(1);
      try (RunningWorker running = new RunningWorker(dir, handler, sockets())) {
        running.worker.execute(() -> running.worker.execute(done::countDown));
        awaitLatch(done);
      }
    }

    @Test
    void task_afterTheThreadEnded_runsOnTheCaller() throws Exception {
      RunningWorker running = new RunningWorker(dir, handler, sockets());
      running.close();
      Thread[] ranOn = new Thread[1];
      running.worker.execute(() -> ranOn[0] = Thread.currentThread());

      assertThat(ranOn[0]).isSameAs(Thread.currentThread());
    }

    @Test
    void tasks_whileTheThreadEnds_runOnceEach() throws Exception {
      for (int round = 0; round < 100; round++) {
        RunningWorker running = new RunningWorker(dir, handler, sockets());
        AtomicInteger runs = new AtomicInteger();
        CountDownLatch submitted = new CountDownLatch(2);
        for (int t = 0; t < 2; t++) {
          new Thread(
                  () -> {
                    for (int i = 0; i < 50; i++) {
                      running.worker.execute(runs::incrementAndGet);
                    }
                    submitted.countDown();
                  })
              .start();
        }
        running.close();
        awaitLatch(submitted);

        assertThat(runs).hasValue(100);
      }
    }
  }

  @Nested
  class Stop {
    @Test
    void stop_always_endsTheThreadAndClosesTheSocket() throws Exception {
      RunningWorker running = new RunningWorker(dir, handler, sockets());
      assertThat(running.path).exists();
      running.close();

      assertThat(StaleSockets.isAlive(running.path)).isFalse();
      assertThat(running.thread.isAlive()).isFalse();
    }

    @Test
    void stop_withQueuedTasks_runsThem() throws Exception {
      AtomicInteger runs = new AtomicInteger();
      RunningWorker running = new RunningWorker(dir, handler, sockets());
      running.worker.execute(
          () -> {
            running.worker.execute(running.worker::stop);
            running.worker.execute(runs::incrementAndGet);
          });
      running.awaitEnd();

      assertThat(runs).hasValue(1);
    }

    @Test
    void stop_onAnotherThread_freesNothingThatTheWorkerWaitsOn() throws Exception {
      for (int i = 0; i < 200; i++) {
        RunningWorker running = new RunningWorker(dir, handler, sockets());
        running.worker.stop();

        assertThat(running.thread.isAlive()).isFalse();
        assertThat(StaleSockets.isAlive(running.path)).isFalse();
      }
    }

    @Test
    void stop_thenMoreCalls_isHarmless() throws Exception {
      RunningWorker running = new RunningWorker(dir, handler, sockets());
      running.close();
      running.worker.handleArrived(0);
      running.worker.execute(running.worker::stop);
    }
  }

  static void awaitLatch(CountDownLatch latch) {
    try {
      assertThat(latch.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}

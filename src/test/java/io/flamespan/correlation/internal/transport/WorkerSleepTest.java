/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.transport;

import static io.flamespan.correlation.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.testing.Datagrams;
import io.flamespan.correlation.testing.RecordingHandler;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkerSleepTest {
  @TempDir(factory = ShortTempDir.class)
  Path dir;

  private final RecordingHandler handler = new RecordingHandler();
  private final AtomicLong steps = new AtomicLong();

  @Nested
  class Idle {
    @Test
    void idleThread_nothingToDo_sleeps() throws Exception {
      try (RunningWorker running = new RunningWorker(dir, handler, this::nothingDue)) {
        awaitRest();
        for (int i = 0; i < 20; i++) {
          running.send(Datagrams.correlation(i));
          running.finishAll();
        }
        awaitRest();

        // Each round sends a datagram and a task; a work step follows each.
        assertThat(steps.get()).isLessThan(200);
      }
    }

    @Test
    void idleThread_workDueMuchLater_sleeps() throws Exception {
      try (RunningWorker running = new RunningWorker(dir, handler, this::dueInAnHour)) {
        awaitRest();
        running.send(Datagrams.correlation(1));
        running.finishAll();
        awaitRest();

        assertThat(handler.calls).hasSize(1);
      }
    }

    private long nothingDue() {
      steps.incrementAndGet();
      return Worker.NOTHING_DUE;
    }

    private long dueInAnHour() {
      steps.incrementAndGet();
      return TimeUnit.HOURS.toNanos(1);
    }

    private void awaitRest() {
      AtomicLong before = new AtomicLong(-1);
      await()
          .during(Duration.ofMillis(200))
          .until(() -> before.getAndSet(steps.get()) == steps.get());
    }
  }

  @Nested
  class Due {
    @Test
    void dueWork_withoutAnyMessage_isDone() throws Exception {
      try (RunningWorker running =
          new RunningWorker(
              dir, handler, () -> steps.incrementAndGet() < 20 ? 1_000_000 : Worker.NOTHING_DUE)) {
        await().until(() -> steps.get() >= 20);
        assertThat(running.thread.isAlive()).isTrue();
      }
    }

    @Test
    void dueWork_nowOrInThePast_isDoneAtOnce() throws Exception {
      long[] waits = {0, -1, Long.MIN_VALUE, 1, 0};
      try (RunningWorker running =
          new RunningWorker(
              dir,
              handler,
              () -> {
                int step = (int) steps.getAndIncrement();
                return step < waits.length ? waits[step] : Worker.NOTHING_DUE;
              })) {
        await().until(() -> steps.get() > waits.length);
        assertThat(running.thread.isAlive()).isTrue();
      }
    }

    @Test
    void dueWork_endlessMessages_isDone() throws Exception {
      AtomicBoolean streaming = new AtomicBoolean(true);
      AtomicInteger stepsWhileStreaming = new AtomicInteger();
      AtomicInteger messages = new AtomicInteger();
      Sender[] self = new Sender[1];
      RecordingHandler endless =
          new RecordingHandler() {
            @Override
            public void onRegistration(long samplesDelayMillis, String hostId) {
              messages.incrementAndGet();
              if (streaming.get()) {
                try {
                  self[0].send(RunningWorker.LARGE);
                } catch (java.io.IOException e) {
                  throw new AssertionError(e);
                }
              }
            }
          };
      try (RunningWorker running =
          new RunningWorker(
              dir,
              endless,
              () -> {
                if (messages.get() > 0 && stepsWhileStreaming.incrementAndGet() == 2) {
                  streaming.set(false);
                }
                return Worker.NOTHING_DUE;
              })) {
        self[0] = new Sender(running.path);
        running.send(Datagrams.registration(0, ""));
        await().untilFalse(streaming);
        running.finishAll();
        self[0].close();
      }
    }
  }
}

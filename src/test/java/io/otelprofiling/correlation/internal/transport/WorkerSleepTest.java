/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.transport;

import static io.otelprofiling.correlation.internal.transport.RunningWorker.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.otelprofiling.correlation.testing.Datagrams;
import io.otelprofiling.correlation.testing.FakeProfiler;
import io.otelprofiling.correlation.testing.LogCapturer;
import io.otelprofiling.correlation.testing.RecordingHandler;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkerSleepTest {
  @TempDir Path dir;

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
          .during(Duration.ofMillis(500))
          .atMost(LIMIT)
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
        await().atMost(LIMIT).until(() -> steps.get() >= 20);
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
        await().atMost(LIMIT).until(() -> steps.get() > waits.length);
        assertThat(running.thread.isAlive()).isTrue();
      }
    }

    /** Spans wait for the work, and a shutdown waits for its task. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void dueWork_endlessMessages_isDone(boolean failing) throws Exception {
      byte[] message = Datagrams.registration(0, "h".repeat(10_000)); // a hundred in a round
      AtomicBoolean streaming = new AtomicBoolean(true);
      CountDownLatch messages = new CountDownLatch(2);
      FakeProfiler[] self = new FakeProfiler[1];
      RecordingHandler endless =
          new RecordingHandler() {
            @Override
            public void onRegistration(long samplesDelayMillis, String hostId) {
              if (streaming.get()) {
                self[0].send(message);
                messages.countDown();
                if (failing) {
                  throw new IllegalStateException("failure");
                }
              }
            }
          };
      try (LogCapturer expected = new LogCapturer();
          RunningWorker running =
              new RunningWorker(
                  dir,
                  endless,
                  () -> {
                    steps.incrementAndGet();
                    return Worker.NOTHING_DUE;
                  })) {
        self[0] = FakeProfiler.to(running.path);
        running.send(message);
        try {
          WorkerTest.awaitLatch(messages);
          long before = steps.get();
          running.finishAll();
          await().atMost(LIMIT).until(() -> steps.get() > before + 2);
        } finally {
          streaming.set(false);
        }
        running.finishAll();
        self[0].close();
      }
    }
  }
}

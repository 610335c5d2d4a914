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
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class WorkerFailureTest {
  enum Failure {
    EXCEPTION(new IllegalStateException("failure")),
    WITHOUT_MESSAGE(new NullPointerException()),
    ERROR(new AssertionError("failure")),
    OUT_OF_MEMORY(new OutOfMemoryError("failure")),
    STACK_OVERFLOW(new StackOverflowError()),
    LINKAGE(new LinkageError("failure"));

    final Throwable cause;

    Failure(Throwable cause) {
      this.cause = cause;
    }

    void happen() {
      if (cause instanceof RuntimeException) {
        throw (RuntimeException) cause;
      }
      throw (Error) cause;
    }
  }

  @TempDir(factory = ShortTempDir.class)
  Path dir;

  private final RecordingHandler handler = new RecordingHandler();
  private final LogCapturer logs = new LogCapturer();

  @AfterEach
  void stopCapturing() {
    logs.close();
  }

  @ParameterizedTest
  @EnumSource(Failure.class)
  void handler_throwing_doesNotEndTheThread(Failure failure) throws Exception {
    RecordingHandler failing =
        new RecordingHandler() {
          @Override
          public void onRegistration(long samplesDelayMillis, String hostId) {
            failure.happen();
          }
        };
    try (RunningWorker running = new RunningWorker(dir, failing)) {
      running.send(Datagrams.registration(1, ""));
      running.send(Datagrams.correlation(1));
      running.send(Datagrams.registration(1, ""));
      running.send(Datagrams.correlation(2));
      running.finishAll();

      assertThat(failing.calls).containsExactlyInAnyOrder(correlation(1), correlation(2));
      assertThat(running.thread.isAlive()).isTrue();
      assertThat(logs.warnings()).hasSize(1);
    }
  }

  @ParameterizedTest
  @EnumSource(Failure.class)
  void task_throwing_doesNotEndTheThread(Failure failure) throws Exception {
    try (RunningWorker running = new RunningWorker(dir, handler)) {
      running.worker.execute(failure::happen);
      running.worker.execute(failure::happen);
      running.send(Datagrams.correlation(1));
      running.finishAll();

      assertThat(handler.calls).containsExactly(correlation(1));
      assertThat(running.thread.isAlive()).isTrue();
      assertThat(logs.warnings()).hasSize(1);
    }
  }

  @ParameterizedTest
  @EnumSource(Failure.class)
  void upkeep_throwing_doesNotEndTheThread(Failure failure) throws Exception {
    AtomicInteger failures = new AtomicInteger();
    try (RunningWorker running =
        new RunningWorker(
            dir,
            handler,
            () -> {
              if (failures.getAndIncrement() < 3) {
                failure.happen();
              }
              return Worker.NOTHING_DUE;
            })) {
      await().until(() -> failures.get() > 3);
      running.send(Datagrams.correlation(1));
      running.finishAll();

      assertThat(handler.calls).containsExactly(correlation(1));
      assertThat(logs.warnings()).hasSize(1);
    }
  }

  // Spans wait for the work step, and shutdown waits for its task: failures must not delay either.
  @Test
  void failures_withoutEnd_delayNeitherTasksNorWork() throws Exception {
    AtomicBoolean failing = new AtomicBoolean(true);
    CountDownLatch failed = new CountDownLatch(2);
    Sender[] self = new Sender[1];
    RecordingHandler endless =
        new RecordingHandler() {
          @Override
          public void onRegistration(long samplesDelayMillis, String hostId) {
            if (failing.get()) {
              try {
                self[0].send(RunningWorker.LARGE);
              } catch (IOException e) {
                throw new AssertionError(e);
              }
              failed.countDown();
              throw new IllegalStateException("failure");
            }
          }
        };
    AtomicInteger steps = new AtomicInteger();
    try (RunningWorker running =
        new RunningWorker(
            dir,
            endless,
            () -> {
              steps.incrementAndGet();
              return Worker.NOTHING_DUE;
            })) {
      self[0] = new Sender(running.path);
      running.send(Datagrams.registration(0, ""));
      try {
        assertThat(failed.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        int before = steps.get();
        running.finishAll();
        await().until(() -> steps.get() > before);
      } finally {
        failing.set(false);
      }
      self[0].close();
    }
  }

  @Test
  void interrupts_many_doNotEndTheThread() throws Exception {
    try (RunningWorker running = new RunningWorker(dir, handler)) {
      for (int i = 1; i <= 200; i++) {
        running.thread.interrupt();
        running.send(Datagrams.correlation(i));
        running.finishAll();

        assertThat(handler.calls).hasSize(i);
      }
      assertThat(running.thread.isAlive()).isTrue();
    }
    assertThat(logs.warnings()).isEmpty();
  }

  @Test
  void interrupt_byATask_isCleared() throws Exception {
    AtomicInteger steps = new AtomicInteger();
    try (RunningWorker running =
        new RunningWorker(
            dir,
            handler,
            () -> {
              steps.incrementAndGet();
              return Worker.NOTHING_DUE;
            })) {
      running.worker.execute(() -> Thread.currentThread().interrupt());
      running.finishAll();
      AtomicInteger before = new AtomicInteger(-1);
      await()
          .during(Duration.ofMillis(300))
          .until(() -> before.getAndSet(steps.get()) == steps.get());

      assertThat(running.call(() -> Thread.currentThread().isInterrupted())).isFalse();
    }
  }

  @Test
  void stop_afterAnInterrupt_works() throws Exception {
    RunningWorker running = new RunningWorker(dir, handler);
    running.worker.execute(() -> Thread.currentThread().interrupt());
    running.close();

    assertThat(StaleSockets.isAlive(running.path)).isFalse();
    assertThat(logs.warnings()).isEmpty();
  }
}

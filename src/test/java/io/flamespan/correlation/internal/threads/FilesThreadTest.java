/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.threads;

import static io.flamespan.correlation.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flamespan.correlation.testing.LogCapturer;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FilesThreadTest {
  private static final long LIMIT_MILLIS = 60_000;
  private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final FilesThread files = new FilesThread();
  private final FilesThread impatient = new FilesThread(1_000_000);
  private final CountDownLatch answer = new CountDownLatch(1);
  private final List<String> done = new CopyOnWriteArrayList<>();

  @AfterEach
  void letOperationsEnd() {
    answer.countDown();
  }

  private static boolean exists() {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().equals("flamespan-files"));
  }

  @Test
  void operations_several_runInOrderOnAThreadThatThenEnds() {
    AtomicReference<Thread> thread = new AtomicReference<>();
    files.execute("a", () -> thread.set(Thread.currentThread()));
    files.execute("b", () -> done.add("b"));
    files.execute("c", () -> done.add("c"));

    assertThat(files.await(LIMIT_MILLIS)).isTrue();
    assertThat(done).containsExactly("b", "c");
    assertThat(thread.get().getName()).isEqualTo("flamespan-files");
    assertThat(thread.get().isDaemon()).isTrue();
    await().until(() -> !thread.get().isAlive());
  }

  @Test
  void operation_thatFails_isLoggedAndTheNextRuns() {
    try (LogCapturer log = new LogCapturer()) {
      files.execute(
          "a",
          () -> {
            throw new IOException("requested by the test");
          });
      files.execute("b", () -> done.add("b"));

      assertThat(files.await(LIMIT_MILLIS)).isTrue();
      assertThat(done).containsExactly("b");
      assertThat(log.warnings()).hasSize(1);
    }
  }

  @Test
  void execute_whileAnOperationHangs_returns() {
    files.execute("a", answer::await);
    files.execute("b", () -> done.add("b"));
    assertThat(done).isEmpty();
    answer.countDown();

    assertThat(files.await(LIMIT_MILLIS)).isTrue();
    assertThat(done).containsExactly("b");
  }

  @Test
  void hangingOperation_reportedOften_isNamedOnce() {
    try (LogCapturer log = new LogCapturer()) {
      impatient.execute("writing /tmp/a", answer::await);
      await()
          .until(
              () -> {
                assertThat(impatient.reportIfHanging()).isPositive();
                return !log.warnings().isEmpty();
              });
      assertThat(impatient.reportIfHanging()).isPositive();
      assertThat(impatient.await(1)).isFalse();

      assertThat(log.warnings())
          .singleElement()
          .asString()
          .contains("writing /tmp/a has not ended");
    }
  }

  @Test
  void quickOperation_isNotReported() {
    try (LogCapturer log = new LogCapturer()) {
      files.execute("a", answer::await);
      assertThat(files.reportIfHanging()).isPositive();
      answer.countDown();

      assertThat(files.await(LIMIT_MILLIS)).isTrue();
      await().until(() -> files.reportIfHanging() == LastingThread.FOREVER);
      assertThat(log.warnings()).isEmpty();
    }
  }

  @Test
  void call_resultOrException_reachesTheCaller() throws Exception {
    assertThat(files.call("a", () -> "result", done::add)).isEqualTo("result");
    assertThatThrownBy(
            () ->
                files.call(
                    "b",
                    () -> {
                      throw new NoClassDefFoundError("requested by the test");
                    },
                    unused -> {}))
        .isInstanceOf(NoClassDefFoundError.class);
    assertThat(done).isEmpty();
  }

  @Test
  void call_ofAnInterruptedThread_waits() throws Exception {
    Thread.currentThread().interrupt();
    assertThat(files.call("a", () -> "result", done::add)).isEqualTo("result");
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void call_thatHangs_namesTheStepAndIsUndoneLater() {
    try (LogCapturer log = new LogCapturer()) {
      CountDownLatch entered = new CountDownLatch(1);
      do { // one that has not begun in time never runs
        assertThatThrownBy(
                () ->
                    impatient.call(
                        "the start",
                        () -> {
                          impatient.enter("binding /tmp/s");
                          entered.countDown();
                          answer.await();
                          return "late";
                        },
                        done::add))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("file");
      } while (entered.getCount() > 0);
      assertThat(done).isEmpty();
      answer.countDown();

      await().until(() -> done.contains("late"));
      assertThat(log.warnings()).isEmpty(); // the caller logs the exception
    }
  }

  @Test
  void operation_thatComputesForLonger_doesNotHang() throws Exception {
    FilesThread patient = new FilesThread(PATIENCE_NANOS);
    try (LogCapturer log = new LogCapturer()) {
      assertThat(patient.call("computing", () -> computeForLonger(), unused -> {})).isOdd();
      patient.execute("computing", () -> computeForLonger());
      while (patient.reportIfHanging() != LastingThread.FOREVER) {
        Thread.sleep(10);
      }

      assertThat(log.warnings()).isEmpty();
    }
  }

  private static long computeForLonger() {
    long end = System.nanoTime() + 2 * PATIENCE_NANOS;
    long number = 1;
    while (System.nanoTime() < end) {
      number = number * 31 | 1;
    }
    return number;
  }

  @Test
  void thread_withoutOperations_doesNotExist() {
    files.execute("a", () -> done.add("a"));
    await().until(() -> !done.isEmpty() && !exists());
  }
}

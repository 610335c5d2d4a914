/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.transport;

import static io.flamespan.correlation.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.internal.protocol.MessageDecoder;
import io.flamespan.correlation.internal.protocol.MessageHandler;
import io.flamespan.correlation.internal.threads.FilesThread;
import io.flamespan.correlation.testing.LogCapturer;
import java.nio.file.Files;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WorkerSocketFileTest extends BoundSocket {
  private static final long MILLISECOND = 1_000_000;

  private final AtomicInteger received = new AtomicInteger();
  private final AtomicInteger changes = new AtomicInteger();

  private final FilesThread files = new FilesThread();

  /** Otherwise a check may bind the socket while it is closed and its file deleted. */
  @AfterEach
  void finishChecks() {
    CountDownLatch done = new CountDownLatch(1);
    files.execute("nothing", done::countDown);
    WorkerTest.awaitLatch(done);
  }

  private MessageHandler counting() {
    return new MessageHandler() {
      @Override
      public void onRegistration(long samplesDelayMillis, String hostId) {
        received.incrementAndGet();
      }

      @Override
      public void onCorrelation(
          long traceIdHigh,
          long traceIdLow,
          long localRootSpanId,
          long stackTraceIdHigh,
          long stackTraceIdLow,
          int count) {}
    };
  }

  @Test
  void socketFile_deletedWhileSpansWait_isRestored() throws Exception {
    Worker thread =
        new Worker(
            socket,
            new MessageDecoder(counting()),
            new SocketUpkeep(socket, files, changes::incrementAndGet, MILLISECOND),
            () -> {});
    try (LogCapturer log = new LogCapturer()) {
      thread.start();
      Files.delete(socket.path());
      await()
          .until(
              () -> {
                thread.handleArrived(0);
                return Files.exists(socket.path());
              });
      await().until(() -> !log.warnings().isEmpty());
    }
    thread.stop();
  }

  @Test
  void socketFile_deletedWhileIdle_isRestoredOnTheNextActivity() throws Exception {
    Worker thread =
        new Worker(
            socket,
            new MessageDecoder(counting()),
            new SocketUpkeep(socket, files, changes::incrementAndGet, MILLISECOND),
            () -> {});
    try (LogCapturer log = new LogCapturer()) {
      thread.start();
      for (int i = 1; i <= 3; i++) {
        int before = changes.get();
        Files.delete(socket.path());
        await()
            .until(
                () -> {
                  thread.checkFilesIfDue();
                  return changes.get() > before;
                });
        assertThat(socket.path()).exists();
      }
      assertThat(log.warnings()).singleElement().asString().contains(socket.path().toString());
    }
    thread.stop();
  }

  @Test
  void socketFile_takenByAnotherSocket_isReportedWithARemedyAndWithoutAStackTrace()
      throws Exception {
    Worker thread =
        new Worker(
            socket,
            new MessageDecoder(counting()),
            new SocketUpkeep(socket, files, changes::incrementAndGet, MILLISECOND),
            () -> {});
    try (LogCapturer log = new LogCapturer()) {
      Files.delete(socket.path());
      try (OpenSocket other = Sockets.NATIVE.open(socket.path())) {
        thread.start(); // only now, or it binds the path between these two
        await()
            .until(
                () -> {
                  thread.checkFilesIfDue();
                  return changes.get() == 1 && !log.warnings().isEmpty();
                });
        assertThat(socket.boundSinceMillis()).isZero();
        assertThat(socket.trouble()).contains("another socket");
      }
      assertThat(log.warnings())
          .singleElement()
          .asString()
          .contains(socket.path().toString(), "another socket", "ss -xlp")
          .doesNotContain("Receiving");
      assertThat(log.thrown()).isEmpty();
    }
    thread.stop();
  }

  @Test
  void socketFile_thatCannotBeBound_isLostUntilItCan() throws Exception {
    Worker thread =
        new Worker(
            socket,
            new MessageDecoder(counting()),
            new SocketUpkeep(socket, files, changes::incrementAndGet, MILLISECOND),
            () -> {});
    try (LogCapturer log = new LogCapturer()) {
      Files.delete(socket.path());
      Files.createDirectories(socket.path().resolve("in-the-way"));
      thread.start(); // only now, or it binds the path between these two
      await()
          .until(
              () -> {
                thread.checkFilesIfDue();
                return changes.get() == 1;
              });
      assertThat(log.warnings()).singleElement().asString().contains(socket.path().toString());

      assertThat(socket.boundSinceMillis()).isZero();

      Files.delete(socket.path().resolve("in-the-way"));
      await()
          .until(
              () -> {
                thread.checkFilesIfDue();
                return changes.get() == 2;
              });
      assertThat(StaleSockets.isAlive(socket.path())).isTrue();
      assertThat(socket.boundSinceMillis()).isPositive();
    }
    thread.stop();
  }

  @Test
  void socketFile_deletedDuringWork_isRestoredAndReceivesMessages() throws Exception {
    Worker thread =
        new Worker(
            socket,
            new MessageDecoder(counting()),
            new SocketUpkeep(socket, files, changes::incrementAndGet, MILLISECOND),
            () -> {});
    try (LogCapturer log = new LogCapturer()) {
      thread.start();
      Files.delete(socket.path());
      await()
          .until(
              () -> {
                thread.checkFilesIfDue();
                return Files.exists(socket.path());
              });
      await().until(() -> !log.warnings().isEmpty());

      byte[] registration = {2, 0, 1, 0, 100, 0, 0, 0, 0, 0, 0, 0};
      try (Sender sender = new Sender(socket.path())) {
        sender.send(registration);
      }
      await().until(() -> received.get() == 1);
      assertThat(log.warnings())
          .singleElement()
          .asString()
          .contains(socket.path().toString(), "deleted");
    } finally {
      CompletableFuture<Thread> stopped = new CompletableFuture<>();
      thread.execute(
          () -> {
            thread.stop();
            stopped.complete(Thread.currentThread());
          });
      stopped.get().join(); // before the socket is closed
    }
  }
}

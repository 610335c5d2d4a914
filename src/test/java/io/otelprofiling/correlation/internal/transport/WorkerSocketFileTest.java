/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.otelprofiling.correlation.internal.protocol.MessageDecoder;
import io.otelprofiling.correlation.internal.threads.FilesThread;
import io.otelprofiling.correlation.testing.Datagrams;
import io.otelprofiling.correlation.testing.FakeProfiler;
import io.otelprofiling.correlation.testing.LogCapturer;
import io.otelprofiling.correlation.testing.RecordingHandler;
import java.io.IOException;
import java.nio.file.Files;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WorkerSocketFileTest extends BoundSocket {
  private static final long MILLISECOND = 1_000_000;

  private final RecordingHandler received = new RecordingHandler();
  private final AtomicInteger changes = new AtomicInteger();
  private final FilesThread files = new FilesThread();
  private final LogCapturer log = new LogCapturer();
  private Worker worker;

  WorkerSocketFileTest() {
    super(Sockets.NATIVE);
  }

  @BeforeEach
  void start() throws IOException {
    worker =
        new Worker(
            socket,
            new MessageDecoder(received),
            new SocketUpkeep(socket, files, changes::incrementAndGet, MILLISECOND),
            () -> {});
    worker.start();
  }

  /** Otherwise the worker or a check may bind the socket while it is closed and deleted. */
  @AfterEach
  void stop() throws Exception {
    CompletableFuture<Thread> stopped = new CompletableFuture<>();
    worker.execute(
        () -> {
          worker.stop();
          stopped.complete(Thread.currentThread());
        });
    stopped.get().join();
    CountDownLatch done = new CountDownLatch(1);
    files.execute("nothing", done::countDown);
    WorkerTest.awaitLatch(done);
    log.close();
  }

  private void checkUntil(BooleanSupplier condition) {
    await()
        .until(
            () -> {
              worker.checkFilesIfDue();
              return condition.getAsBoolean();
            });
  }

  @Test
  void socketFile_deletedWhileSpansWait_isRestored() throws Exception {
    Files.delete(socket.path());
    await()
        .until(
            () -> {
              worker.handleArrived(0);
              return Files.exists(socket.path());
            });
    await().until(() -> !log.warnings().isEmpty());
  }

  @Test
  void socketFile_deletedRepeatedly_isRestoredAndReceivesMessages() throws Exception {
    for (int i = 1; i <= 3; i++) {
      int before = changes.get();
      Files.delete(socket.path());
      checkUntil(() -> changes.get() > before);
      try (FakeProfiler sender = FakeProfiler.to(socket.path())) {
        sender.send(Datagrams.registration(100, ""));
      }
      int messages = i;
      await().until(() -> received.calls.size() == messages);
    }
    assertThat(log.warnings())
        .singleElement()
        .asString()
        .contains(socket.path().toString(), "deleted");
  }

  @Test
  void socketFile_takenByAnotherSocket_isReportedWithARemedyAndWithoutAStackTrace()
      throws Exception {
    Files.delete(socket.path());
    try (OpenSocket other = Sockets.NATIVE.open(socket.path())) {
      checkUntil(() -> changes.get() == 1 && !log.warnings().isEmpty());
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

  @Test
  void socketFile_thatCannotBeBound_isLostUntilItCan() throws Exception {
    Files.delete(socket.path());
    Files.createDirectories(socket.path().resolve("in-the-way"));
    checkUntil(() -> changes.get() == 1);
    assertThat(log.warnings()).singleElement().asString().contains(socket.path().toString());
    assertThat(socket.boundSinceMillis()).isZero();

    Files.delete(socket.path().resolve("in-the-way"));
    checkUntil(() -> changes.get() == 2);
    assertThat(StaleSockets.isAlive(socket.path())).isTrue();
    assertThat(socket.boundSinceMillis()).isPositive();
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.transport;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.testing.Directories;
import io.flamespan.correlation.testing.LoadedLibrary;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A bound socket for each test, with operations on it. */
abstract class BoundSocket {
  @TempDir(factory = ShortTempDir.class)
  Path dir;

  final ByteBuffer buffer = ByteBuffer.allocateDirect(1_000);
  ProfilerSocket socket;

  @BeforeAll
  static void loadLibrary() {
    LoadedLibrary.load();
  }

  @BeforeEach
  void bind() throws IOException {
    socket = bindIn(dir.toString());
  }

  /** Returns what the socket is opened with. */
  Sockets sockets() {
    return Sockets.NATIVE;
  }

  ProfilerSocket bindIn(String directory) throws IOException {
    return ProfilerSocket.bind(Directories.ofSockets(directory), sockets());
  }

  @AfterEach
  void close() throws IOException {
    socket.close();
    socket.deleteFile();
  }

  /** Binds again if necessary, and returns whether it was. */
  boolean rebind() throws IOException {
    boolean rebound = socket.rebindIfLost();
    assertThat(socket.useRebound()).isEqualTo(rebound);
    return rebound;
  }

  void send(String text) throws IOException {
    try (Sender sender = new Sender(socket.path())) {
      sender.send(text.getBytes(UTF_8));
    }
  }

  String receive() throws IOException {
    return socket.receive(buffer) ? UTF_8.decode(buffer).toString() : null;
  }

  static String permissions(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  static void assertIsSocket(Path path) throws IOException {
    assertThat((Integer) Files.getAttribute(path, "unix:mode") & 0170000).isEqualTo(0140000);
  }

  static long openFiles() throws IOException {
    try (var files = Files.list(Path.of("/proc/self/fd"))) {
      return files.count();
    }
  }

  interface Step {
    void run() throws IOException;
  }

  static CompletableFuture<Void> inBackground(Step step) {
    CompletableFuture<Void> result = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                step.run();
                result.complete(null);
              } catch (Throwable e) {
                result.completeExceptionally(e);
              }
            });
    thread.setDaemon(true);
    thread.start();
    return result;
  }
}

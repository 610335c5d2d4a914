/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.nativelib;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.internal.posix.Errno;
import io.flamespan.correlation.testing.Directories;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import jnr.unixsocket.UnixDatagramChannel;
import jnr.unixsocket.UnixSocketAddress;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SocketLibrarySendTest {
  private static final byte[] TEXT = "hällo".getBytes(StandardCharsets.UTF_8);

  // Linux uses these values on both CPUs.
  private static final int ENOENT = 2;
  private static final int EAGAIN = 11;
  private static final int ENOTDIR = 20;
  private static final int EINVAL = 22;
  private static final int ENAMETOOLONG = 36;
  private static final int ENOTSOCK = 88;
  private static final int EMSGSIZE = 90;
  private static final int ECONNREFUSED = 111;

  @TempDir Path directory;

  @BeforeAll
  static void load() {
    SocketLibrary.load(Directories.ofLibraries(null));
  }

  private static UnixDatagramChannel bind(Path path) throws IOException {
    UnixDatagramChannel channel = UnixDatagramChannel.open();
    channel.bind(new UnixSocketAddress(path.toFile()));
    return channel;
  }

  @Test
  void send_throughALongDirectory_arrives() throws IOException {
    Path root = Path.of("/proc/self/root" + directory);
    Path deep = root;
    for (int i = 0; i < 3; i++) {
      deep = Files.createDirectory(deep.resolve("directory-".repeat(10)));
    }
    // Bound with a short path, then moved to the long one.
    try (UnixDatagramChannel channel = bind(directory.resolve("s"))) {
      Files.move(directory.resolve("s"), deep.resolve("profiler-ä.sock"));

      assertThat(SocketLibrary.send(deep, "profiler-ä.sock", TEXT, 0)).isZero();
      ByteBuffer received = ByteBuffer.allocate(100);
      channel.receive(received);
      assertThat(received.flip()).isEqualTo(ByteBuffer.wrap(TEXT));
    }
  }

  @Test
  void send_fullQueue_isRefusedAtOnce() throws IOException {
    try (UnixDatagramChannel channel = bind(directory.resolve("s"))) {
      int error = 0;
      for (int i = 0; error == 0 && i < 1_000_000; i++) {
        error = SocketLibrary.send(directory, "s", TEXT, 0);
      }
      assertThat(error).isEqualTo(EAGAIN);
    }
  }

  @Test
  void deliver_whileNobodyReads_isTimedOut() throws IOException {
    try (UnixDatagramChannel channel = bind(directory.resolve("s"))) {
      assertThat(SocketLibrary.send(directory, "s", TEXT, 10)).isEqualTo(Errno.ETIMEDOUT);
    }
  }

  @Test
  void deliver_whileSomebodyReads_succeeds() throws Exception {
    try (UnixDatagramChannel channel = bind(directory.resolve("s"))) {
      CompletableFuture<Integer> delivered =
          CompletableFuture.supplyAsync(() -> SocketLibrary.send(directory, "s", TEXT, 60_000));
      channel.receive(ByteBuffer.allocate(100));

      assertThat(delivered.get()).isZero();
    }
  }

  @Test
  void send_toAFileThatIsNotASocket_isRefused() throws IOException {
    Files.createFile(directory.resolve("file"));
    try (UnixDatagramChannel channel = bind(directory.resolve("s"))) {
      Files.createSymbolicLink(directory.resolve("link"), directory.resolve("s"));

      assertThat(SocketLibrary.send(directory, "file", TEXT, 0)).isEqualTo(ENOTSOCK);
      assertThat(SocketLibrary.send(directory, "link", TEXT, 0)).isEqualTo(ENOTSOCK);
      assertThat(SocketLibrary.send(directory, ".", TEXT, 0)).isEqualTo(ENOTSOCK);
      assertThat(SocketLibrary.send(directory, "none", TEXT, 0)).isEqualTo(ENOENT);
      assertThat(SocketLibrary.send(directory.resolve("file"), "s", TEXT, 0)).isEqualTo(ENOTDIR);
    }
    assertThat(SocketLibrary.send(directory, "s", TEXT, 0)).isEqualTo(ECONNREFUSED);
  }

  @Test
  void send_wrongArguments_areRefused() {
    assertThat(SocketLibrary.send(directory, "../s", TEXT, 0)).isEqualTo(EINVAL);
    assertThat(SocketLibrary.send(directory, "", TEXT, 0)).isEqualTo(ENAMETOOLONG);
    assertThat(SocketLibrary.send(directory, "x".repeat(256), TEXT, 0)).isEqualTo(ENAMETOOLONG);
    assertThat(SocketLibrary.send(directory, "s", new byte[513], 0)).isEqualTo(EMSGSIZE);
  }
}

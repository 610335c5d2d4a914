/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.flamespan.correlation.testing.LoadedLibrary;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import jnr.unixsocket.UnixDatagramChannel;
import jnr.unixsocket.UnixServerSocketChannel;
import jnr.unixsocket.UnixSocketAddress;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StaleSocketsTest {
  private static final int BOUND = Integer.getInteger("test.races", 2_000);

  @TempDir(factory = ShortTempDir.class)
  Path dir;

  @BeforeAll
  static void loadLibrary() {
    LoadedLibrary.load();
  }

  /** Returns the name of a socket of a process on this kernel. */
  static String name(String process) {
    return "profiler-" + process.replace(" ", "-" + kernel() + "-") + ".sock";
  }

  private static String kernel() {
    return SocketName.own().toString().split("-")[2];
  }

  private Path dead(String name) throws IOException {
    Path path = dir.resolve(name);
    Sender.bind(path).close();
    assertThat(path).exists();
    return path;
  }

  @ParameterizedTest
  @ValueSource(strings = {"1 00000000", "4194304 89abcdef"})
  void sockets_ofDeadProcesses_areRemoved(String process) throws IOException {
    Path path = dead(name(process));
    StaleSockets.remove(dir, SocketName.own());

    assertThat(path).doesNotExist();
  }

  @Test
  void sockets_ofLiveProcesses_areLeft() throws IOException {
    // Neither process 1 nor a process beyond the largest possible id has bound these sockets.
    Path first = dir.resolve(name("1 00000000"));
    Path second = dir.resolve(name("99999999 00000000"));
    try (UnixDatagramChannel one = Sender.bind(first);
        UnixDatagramChannel two = Sender.bind(second)) {
      StaleSockets.remove(dir, SocketName.own());

      assertThat(first).exists();
      assertThat(second).exists();
    }
  }

  /** For a moment, the file of a new socket exists, but the kernel does not know its owner yet. */
  @Test
  void sockets_beingBound_areLeft() throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    Thread remover =
        new Thread(
            () -> {
              while (!done.get()) {
                StaleSockets.remove(dir, SocketName.own());
              }
            });
    remover.start();
    try {
      for (int i = 0; i < BOUND; i++) {
        Path path = dir.resolve(name(i + " 00000000"));
        try (OpenSocket socket = Sockets.NATIVE.open(path)) {
          assertThat(Files.deleteIfExists(path)).as(path.toString()).isTrue();
        }
      }
    } finally {
      done.set(true);
      remover.join();
    }
  }

  @Test
  void sockets_deadAmongLive_areRemoved() throws IOException {
    Path live = dir.resolve(name("5 00000005"));
    try (UnixDatagramChannel bound = Sender.bind(live)) {
      for (int i = 0; i < 10; i++) {
        if (i != 5) {
          dead(name(i + " 0000000" + i));
        }
      }
      StaleSockets.remove(dir, SocketName.own());

      assertThat(dir).isDirectoryNotContaining(path -> !path.equals(live));
      assertThat(live).exists();
    }
  }

  @Test
  void liveSocket_withAFullQueue_isLeft() throws IOException {
    Path path = dir.resolve(name("1 00000000"));
    try (UnixDatagramChannel live = Sender.bind(path);
        UnixDatagramChannel sender = UnixDatagramChannel.open()) {
      fill(sender, new UnixSocketAddress(path.toFile()));
      StaleSockets.remove(dir, SocketName.own());

      assertThat(path).exists();
    }
  }

  private static void fill(UnixDatagramChannel sender, UnixSocketAddress target)
      throws IOException {
    sender.configureBlocking(false);
    for (int i = 0; i < 100_000; i++) {
      try {
        if (sender.send(ByteBuffer.allocate(1), target) != 1) {
          return;
        }
      } catch (IOException e) {
        return; // the queue is full
      }
    }
  }

  @Test
  void liveSocket_ofAnotherKind_isLeft() throws IOException {
    Path path = dir.resolve(name("1 00000000"));
    try (UnixServerSocketChannel live = UnixServerSocketChannel.open()) {
      live.socket().bind(new UnixSocketAddress(path.toFile()));
      StaleSockets.remove(dir, SocketName.own());

      assertThat(path).exists();
    }
  }

  /** The socket is refused here, but it is in use on another kernel that shares the directory. */
  @Test
  void socketOfAnotherKernel_thatIsRefused_isLeft() throws IOException {
    char first = kernel().charAt(0) == '0' ? '1' : '0';
    Path path = dead("profiler-1-" + first + kernel().substring(1) + "-00000000.sock");
    StaleSockets.remove(dir, SocketName.own());

    assertThat(path).exists();
  }

  @Test
  void processOfUnknownKernel_leavesAllDeadSockets() throws IOException {
    SocketName unknown = SocketName.of(dir.resolve("missing"));
    Path ofThisKernel = dead(name("1 00000000"));
    Path ofUnknownOne = dead(SocketName.of(dir.resolve("missing")).toString());
    StaleSockets.remove(dir, unknown);
    assertThat(ofThisKernel).exists();
    assertThat(ofUnknownOne).exists();

    StaleSockets.remove(dir, SocketName.own());
    assertThat(ofUnknownOne).exists();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "app.sock",
        "profiler.sock",
        "profiler-1.sock",
        "profiler-1-KERNEL.sock",
        "profiler-1-00000000.sock",
        "profiler-x-KERNEL-00000000.sock",
        "profiler-1-KERNEL-0000000.sock",
        "profiler-1-KERNEL-000000000.sock",
        "profiler-1-KERNEL-0000000G.sock",
        "profiler-1-KERNEL-00000000.sock~",
        "xprofiler-1-KERNEL-00000000.sock"
      })
  void deadSocket_withForeignName_isLeft(String name) throws IOException {
    Path path = dead(name.replace("KERNEL", kernel()));
    StaleSockets.remove(dir, SocketName.own());

    assertThat(path).exists();
  }

  @Test
  void links_areNotFollowed() throws IOException {
    Path target = dead("app.sock");
    Files.createSymbolicLink(dir.resolve(name("1 00000000")), target);
    StaleSockets.remove(dir, SocketName.own());

    assertThat(target).exists();
  }

  @Test
  void danglingLink_isIgnored() throws IOException {
    Path link = dir.resolve(name("1 00000000"));
    Files.createSymbolicLink(link, dir.resolve("missing"));
    Path dead = dead(name("2 00000000"));
    StaleSockets.remove(dir, SocketName.own());

    assertThat(dead).doesNotExist();
    assertThat(Files.exists(link, LinkOption.NOFOLLOW_LINKS)).isTrue();
  }

  @Test
  void directory_withTheNameOfASocket_isIgnored() throws IOException {
    Path directory = Files.createDirectory(dir.resolve(name("1 00000000")));
    Files.createFile(directory.resolve("kept"));
    for (int i = 0; i < 20; i++) {
      dead(name(i + " 00000001"));
    }
    StaleSockets.remove(dir, SocketName.own());

    assertThat(dir).isDirectoryNotContaining(path -> !path.equals(directory));
    assertThat(directory).isDirectory();
  }

  @Test
  void directory_missing_isNotAnError() {
    assertThatCode(() -> StaleSockets.remove(dir.resolve("missing"), SocketName.own()))
        .doesNotThrowAnyException();
  }

  @Test
  void checks_many_leakNoFileDescriptor() throws IOException {
    Path path = dead("app.sock");
    StaleSockets.isDead(path);
    long before = openFiles();
    for (int i = 0; i < 200; i++) {
      assertThat(StaleSockets.isDead(path)).isTrue();
    }

    assertThat(openFiles()).isLessThan(before + 100);
  }

  private static long openFiles() throws IOException {
    try (var files = Files.list(Path.of("/proc/self/fd"))) {
      return files.count();
    }
  }
}

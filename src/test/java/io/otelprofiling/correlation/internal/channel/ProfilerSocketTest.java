/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

package io.otelprofiling.correlation.internal.channel;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import jnr.unixsocket.UnixDatagramChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProfilerSocketTest {
  @TempDir(factory = ShortTempDir.class)
  Path dir;

  private final ByteBuffer buffer = ByteBuffer.allocateDirect(1_000);
  private ProfilerSocket socket;

  @BeforeEach
  void bind() throws IOException {
    socket = ProfilerSocket.bind(dir.toString());
  }

  @AfterEach
  void close() throws IOException {
    socket.close();
  }

  private void send(String text) throws IOException {
    try (Sender sender = new Sender(socket.path())) {
      sender.send(text.getBytes(UTF_8));
    }
  }

  private String receive() throws IOException {
    return socket.receive(buffer) ? UTF_8.decode(buffer).toString() : null;
  }

  private static String permissions(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  private static void assertIsSocket(Path path) throws IOException {
    assertThat((Integer) Files.getAttribute(path, "unix:mode") & 0170000).isEqualTo(0140000);
  }

  @Nested
  class Bind {
    @Test
    void fileIsASocketForThisUserAlone() throws IOException {
      assertThat(socket.path().getParent()).isEqualTo(dir);
      assertIsSocket(socket.path());
      assertThat(permissions(socket.path())).isEqualTo("rw-------");
    }

    @Test
    void socketsOfDeadProcessesAreRemovedAndLiveOnesLeft() throws IOException {
      Path dead = dir.resolve("profiler-1-00000000.sock");
      Path live = dir.resolve("profiler-1-00000001.sock");
      Sender.bind(dead).close();
      try (UnixDatagramChannel other = Sender.bind(live)) {
        socket.close();
        socket = ProfilerSocket.bind(dir.toString());

        assertThat(dead).doesNotExist();
        assertThat(live).exists();
      }
    }

    @Test
    void ownFileLeftFromBeforeIsReplaced() throws IOException {
      Path path = socket.path();
      socket.close();
      Files.writeString(path, "in the way");
      socket = ProfilerSocket.bind(dir.toString());
      send("a");

      assertThat(receive()).isEqualTo("a");
    }

    @Test
    void pathIsRealWhereTheDirectoryIsALink() throws IOException {
      Path link = Files.createSymbolicLink(dir.resolve("l"), Files.createDirectory(dir.resolve("r")));
      socket.close();
      socket = ProfilerSocket.bind(link.toString());

      assertThat(socket.path().getParent()).isEqualTo(dir.resolve("r"));
      assertIsSocket(socket.path());
    }

    @Test
    void directoryNameMayBeAnyText() throws IOException {
      assumeTrue(
          "UTF-8".equals(System.getProperty("sun.jnu.encoding")),
          "file names are not UTF-8 here: not checked that a directory may have any name");
      socket.close();
      socket = ProfilerSocket.bind(dir + "/ä 😀'{0}");

      assertIsSocket(socket.path());
      send("a");
      assertThat(receive()).isEqualTo("a");
    }

    @Test
    void failureNamesThePathAndTheProperty() throws IOException {
      Path path = socket.path();
      socket.close();
      Path inTheWay = Files.createDirectories(path.resolve("in the way"));

      assertThatThrownBy(() -> ProfilerSocket.bind(dir.toString()))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(path.toString())
          .hasMessageContaining("elastic.otel.universal.profiling.integration.socket.dir");
      Files.delete(inTheWay);
    }
  }

  @Nested
  class Receive {
    @Test
    void nothingThereIsNoError() throws IOException {
      assertThat(socket.receive(buffer)).isFalse();
      assertThat(socket.receive(buffer)).isFalse();
    }

    @Test
    void datagramsStaySeparateAndInOrder() throws IOException {
      send("one");
      send("");
      send("three");

      assertThat(receive()).isEqualTo("one");
      assertThat(receive()).isEmpty();
      assertThat(receive()).isEqualTo("three");
      assertThat(receive()).isNull();
    }

    @Test
    void longerThanTheBufferFillsIt() throws IOException {
      send("x".repeat(1_001));
      send("next");

      assertThat(socket.receive(buffer)).isTrue();
      assertThat(buffer.limit()).isEqualTo(buffer.capacity());
      assertThat(receive()).isEqualTo("next");
    }

    @Test
    void nothingIsAllocatedPerDatagram() throws IOException {
      com.sun.management.ThreadMXBean threads =
          (com.sun.management.ThreadMXBean)
              java.lang.management.ManagementFactory.getThreadMXBean();
      long allocated = 0;
      int rounds = 300;
      for (int i = 0; i < rounds; i++) {
        send("some bytes");
        long before = threads.getCurrentThreadAllocatedBytes();
        socket.receive(buffer);
        allocated += threads.getCurrentThreadAllocatedBytes() - before;
      }

      assertThat(allocated / rounds).isLessThan(200);
    }
  }

  @Nested
  class Await {
    @Test
    void aDatagramEndsIt() throws Exception {
      CompletableFuture<Void> waiting = inBackground(() -> socket.awaitForever());
      send("a");

      waiting.get(60, TimeUnit.SECONDS);
      assertThat(receive()).isEqualTo("a");
    }

    @Test
    void aDatagramThatWaitsAlreadyEndsIt() throws Exception {
      send("a");

      inBackground(() -> socket.awaitForever()).get(60, TimeUnit.SECONDS);
      inBackground(() -> socket.await(TimeUnit.DAYS.toNanos(1))).get(60, TimeUnit.SECONDS);
    }

    @Test
    void wakeEndsItAlsoIfItCameBefore() throws Exception {
      for (int i = 0; i < 1_000; i++) {
        CompletableFuture<Void> waiting = inBackground(() -> socket.awaitForever());
        socket.wake();
        waiting.get(60, TimeUnit.SECONDS);
      }
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -1, 0, 1, 999_999, 1_000_001})
    void itEndsByItself(long nanos) throws Exception {
      inBackground(() -> socket.await(nanos)).get(60, TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @ValueSource(longs = {3_600_000_000_000L, Long.MAX_VALUE - 1, Long.MAX_VALUE - 999_999})
    void longTimesAreWaitedFor(long nanos) throws Exception {
      CompletableFuture<Void> waiting = inBackground(() -> socket.await(nanos));
      assertThat(waiting).isNotDone();
      send("a");

      waiting.get(60, TimeUnit.SECONDS);
    }
  }

  @Nested
  class RebindIfDeleted {
    @Test
    void fileThatIsThereIsLeft() throws IOException {
      Object inode = Files.getAttribute(socket.path(), "unix:ino");
      send("a");

      assertThat(socket.rebindIfDeleted()).isFalse();
      assertThat(Files.getAttribute(socket.path(), "unix:ino")).isEqualTo(inode);
      assertThat(receive()).isEqualTo("a");
    }

    @Test
    void deletedFileIsBack() throws Exception {
      for (int i = 0; i < 3; i++) {
        Path path = socket.path();
        Files.delete(path);

        assertThat(socket.rebindIfDeleted()).isTrue();
        assertThat(socket.path()).isEqualTo(path);
        assertIsSocket(path);
        assertThat(permissions(path)).isEqualTo("rw-------");
        CompletableFuture<Void> waiting = inBackground(() -> socket.awaitForever());
        send("a" + i);
        waiting.get(60, TimeUnit.SECONDS);
        assertThat(receive()).isEqualTo("a" + i);
        assertThat(socket.rebindIfDeleted()).isFalse();
      }
    }

    @Test
    void deletedDirectoryIsBackForThisUserAlone() throws IOException {
      Files.delete(socket.path());
      Files.delete(dir);

      assertThat(socket.rebindIfDeleted()).isTrue();
      assertThat(permissions(dir)).isEqualTo("rwx------");
      send("a");
      assertThat(receive()).isEqualTo("a");
    }

    @Test
    void directoryThatOthersMayWriteToByNowIsRefused() throws IOException {
      Files.delete(socket.path());
      Files.setPosixFilePermissions(dir, PosixFilePermissions.fromString("rwxrwxrwx"));

      assertThatThrownBy(() -> socket.rebindIfDeleted())
          .isInstanceOf(IOException.class)
          .hasMessageContaining(dir.toString());
      assertThat(socket.path()).doesNotExist();
    }

    @Test
    void wakeWorksAfterwards() throws Exception {
      Files.delete(socket.path());
      socket.rebindIfDeleted();
      CompletableFuture<Void> waiting = inBackground(() -> socket.awaitForever());
      socket.wake();

      waiting.get(60, TimeUnit.SECONDS);
    }

    @Test
    void noFileDescriptorIsLeft() throws IOException {
      long before = openFiles();
      for (int i = 0; i < 200; i++) {
        Files.delete(socket.path());
        socket.rebindIfDeleted();
        socket.await(1);
      }

      assertThat(openFiles()).isLessThan(before + 100);
    }
  }

  @Nested
  class Close {
    @Test
    void deletesTheFile() throws IOException {
      socket.close();

      assertThat(socket.path()).doesNotExist();
    }

    @Test
    void wakeAndFurtherClosesAreHarmless() throws IOException {
      socket.close();
      socket.wake();
      socket.close();
    }

    @Test
    void noFileDescriptorIsLeft() throws IOException {
      long before = openFiles();
      for (int i = 0; i < 200; i++) {
        socket.close();
        socket = ProfilerSocket.bind(dir.toString());
      }

      assertThat(openFiles()).isLessThan(before + 100);
    }
  }

  private static long openFiles() throws IOException {
    try (var files = Files.list(Path.of("/proc/self/fd"))) {
      return files.count();
    }
  }

  private interface Step {
    void run() throws IOException;
  }

  private static CompletableFuture<Void> inBackground(Step step) {
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

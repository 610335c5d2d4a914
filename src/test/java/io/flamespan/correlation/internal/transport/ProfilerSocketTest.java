/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import jnr.unixsocket.UnixDatagramChannel;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ProfilerSocketTest extends BoundSocket {
  @Nested
  class Bind {
    @Test
    void bind_file_isASocketForThisUserAlone() throws IOException {
      assertThat(socket.path().getParent()).isEqualTo(dir);
      assertIsSocket(socket.path());
      assertThat(permissions(socket.path())).isEqualTo("rw-------");
    }

    /** Its reader takes a file that is newer for that of another process. */
    @Test
    void boundSince_isNotBeforeTheFile() throws IOException {
      for (int i = 0; i < 50; i++) {
        close();
        socket = bindIn(dir.toString());

        assertThat(socket.boundSinceMillis())
            .isGreaterThanOrEqualTo(Files.getLastModifiedTime(socket.path()).toMillis());
      }
    }

    @Test
    void bind_socketsOfDeadProcesses_areRemoved() throws IOException {
      Path dead = dir.resolve(StaleSocketsTest.name("1 00000000"));
      Path live = dir.resolve(StaleSocketsTest.name("1 00000001"));
      Sender.bind(dead).close();
      try (UnixDatagramChannel other = Sender.bind(live)) {
        close();
        socket = bindIn(dir.toString());

        assertThat(dead).doesNotExist();
        assertThat(live).exists();
      }
    }

    @Test
    void bind_ownFileFromBefore_isReplaced() throws IOException {
      Path path = socket.path();
      close();
      Files.writeString(path, "in the way");
      socket = bindIn(dir.toString());
      send("a");

      assertThat(receive()).isEqualTo("a");
    }

    @Test
    void ownSocketThatIsInUse_boundAgain_isLeft() throws IOException {
      assertThatThrownBy(() -> bindIn(dir.toString()))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("another class loader of this process has it")
          .hasMessageContaining(socket.path().toString());
      send("a");

      assertThat(receive()).isEqualTo("a");
    }

    @Test
    void bind_directoryIsALink_pathIsReal() throws IOException {
      Path link =
          Files.createSymbolicLink(dir.resolve("l"), Files.createDirectory(dir.resolve("r")));
      socket.close();
      socket = bindIn(link.toString());

      assertThat(socket.path().getParent()).isEqualTo(dir.resolve("r"));
      assertIsSocket(socket.path());
    }

    // jnr-unixsocket passes the length in characters instead of bytes. The name is cut, and a
    // socket that nobody removes remains under the shorter name.
    @Test
    void bind_anyDirectoryName_works() throws IOException {
      assumeTrue(
          "UTF-8".equals(System.getProperty("sun.jnu.encoding")),
          "needs UTF-8 file names to check directories with any name");
      socket.close();
      socket = bindIn(dir + "/ä 😀'{0}");

      assertIsSocket(socket.path());
      // The sender uses jnr-unixsocket, which would cut this path.
      Path link = Files.createSymbolicLink(dir.resolve("link"), socket.path());
      try (Sender sender = new Sender(link)) {
        sender.send(new byte[] {'a'});
      }
      assertThat(receive()).isEqualTo("a");
    }

    @Test
    void bind_failing_namesThePathAndTheProperty() throws IOException {
      Path path = socket.path();
      close();
      Path inTheWay = Files.createDirectories(path.resolve("in the way"));

      assertThatThrownBy(() -> bindIn(dir.toString()))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(path.toString())
          .hasMessageContaining("flamespan.socket.dir");
      Files.delete(inTheWay);
    }
  }

  @Nested
  class Receive {
    @Test
    void receive_nothingThere_isNoError() throws IOException {
      assertThat(socket.receive(buffer)).isFalse();
      assertThat(socket.receive(buffer)).isFalse();
    }

    @Test
    void receive_severalDatagrams_staySeparateAndInOrder() throws IOException {
      send("one");
      send("");
      send("three");

      assertThat(receive()).isEqualTo("one");
      assertThat(receive()).isEmpty();
      assertThat(receive()).isEqualTo("three");
      assertThat(receive()).isNull();
    }

    @Test
    void receive_longerThanTheBuffer_fillsIt() throws IOException {
      send("x".repeat(1_001));
      send("next");

      assertThat(socket.receive(buffer)).isTrue();
      assertThat(buffer.limit()).isEqualTo(buffer.capacity());
      assertThat(receive()).isEqualTo("next");
    }

    @Test
    void receive_perDatagram_allocatesNothing() throws IOException {
      com.sun.management.ThreadMXBean threads =
          (com.sun.management.ThreadMXBean)
              java.lang.management.ManagementFactory.getThreadMXBean();
      // The first one creates the receiver and loads classes (60 KB), unless an earlier test has.
      send("first");
      assertThat(receive()).isEqualTo("first");
      long allocated = 0;
      int rounds = 3_000;
      for (int i = 0; i < rounds; i++) {
        send("some bytes");
        long before = threads.getCurrentThreadAllocatedBytes();
        boolean received = socket.receive(buffer);
        allocated += threads.getCurrentThreadAllocatedBytes() - before;
        assertThat(received).isTrue();
      }

      assertThat(allocated / rounds).isLessThan(8); // the size of the smallest object
    }
  }

  @Nested
  class Close {
    @Test
    void deleteFile_beforeOrAfterClose_deletesTheFile() throws IOException {
      socket.deleteFile();
      assertThat(socket.path()).doesNotExist();

      ProfilerSocket next = bindIn(dir.toString());
      next.close();
      assertThat(next.path()).exists();
      next.deleteFile();
      assertThat(next.path()).doesNotExist();
    }

    @Test
    void close_thenWakeAndCloseAgain_isHarmless() throws IOException {
      socket.close();
      socket.wake();
      socket.close();
    }

    /** The file descriptor may belong to another socket by now, whose messages would be lost. */
    @Test
    void receive_afterClose_isNothing() throws IOException {
      socket.close();

      assertThatThrownBy(() -> socket.receive(buffer))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("closed");
    }

    @Test
    void close_often_leavesNoFileDescriptor() throws IOException {
      long before = openFiles();
      for (int i = 0; i < 200; i++) {
        close();
        socket = bindIn(dir.toString());
      }

      assertThat(openFiles()).isLessThan(before + 100);
    }
  }
}

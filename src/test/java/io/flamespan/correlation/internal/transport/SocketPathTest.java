/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.transport;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.flamespan.correlation.testing.Directories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SocketPathTest {
  private static final String PROPERTY = "flamespan.socket.dir";

  @TempDir(factory = ShortTempDir.class)
  Path dir;

  private final String temporaryDirectory = System.getProperty("java.io.tmpdir");

  @AfterEach
  void restore() {
    System.setProperty("java.io.tmpdir", temporaryDirectory);
  }

  private String ownDirectory() throws IOException {
    return "flamespan-" + Files.getAttribute(dir, "unix:uid");
  }

  @Test
  void name_ofThisProcess_containsItsId() throws IOException {
    assertThat(SocketPath.choose(Directories.ofSockets(dir.toString())).getFileName().toString())
        .matches("profiler-" + ProcessHandle.current().pid() + "-[0-9a-f]{6}-[0-9a-f]{8}\\.sock");
  }

  @Test
  void name_again_isTheSame() throws IOException {
    Path path = SocketPath.choose(Directories.ofSockets(dir.toString()));

    assertThat(SocketPath.choose(Directories.ofSockets(dir.toString()))).isEqualTo(path);
    assertThat(SocketPath.choose(Directories.ofSockets(null)).getFileName())
        .isEqualTo(path.getFileName());
  }

  @Nested
  class Default {
    @Test
    void defaultPath_always_isInTheTemporaryDirectory() throws IOException {
      System.setProperty("java.io.tmpdir", dir.toString());

      assertThat(SocketPath.choose(Directories.ofSockets(null)).getParent())
          .isEqualTo(dir.resolve(ownDirectory()));
    }

    @Test
    void defaultPath_links_areResolved() throws IOException {
      Path real = Files.createDirectory(dir.resolve("r"));
      Path link = Files.createSymbolicLink(dir.resolve("l"), real);
      System.setProperty("java.io.tmpdir", link.toString());

      assertThat(SocketPath.choose(Directories.ofSockets(null)).getParent())
          .isEqualTo(real.resolve(ownDirectory()));
    }

    @Test
    void defaultPath_tooLong_fallsBackToAShortOne() throws IOException {
      Path tooLong = Files.createDirectory(dir.resolve("d".repeat(80)));
      System.setProperty("java.io.tmpdir", tooLong.toString());
      Path path = SocketPath.choose(Directories.ofSockets(null));

      assertThat(path.getParent()).isEqualTo(Path.of("/tmp").toRealPath().resolve(ownDirectory()));
      assertThat(path.toString().getBytes(UTF_8)).hasSizeLessThanOrEqualTo(89);
    }

    @Test
    void defaultPath_unusable_namesTheProperty() {
      System.setProperty("java.io.tmpdir", dir.resolve("missing").toString());

      assertThatThrownBy(() -> SocketPath.choose(Directories.ofSockets(null)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("missing")
          .hasMessageContaining(PROPERTY);
    }
  }

  @Nested
  class Configured {
    @Test
    void configured_private_isUsedItself() throws IOException {
      assertThat(SocketPath.choose(Directories.ofSockets(dir.toString())).getParent())
          .isEqualTo(dir);
    }

    @Test
    void configured_missing_isCreated() throws IOException {
      assertThat(SocketPath.choose(Directories.ofSockets(dir + "/a/b")).getParent())
          .isEqualTo(dir.resolve("a/b"))
          .isDirectory();
    }

    @Test
    void configured_shared_getsADirectoryPerUser() throws IOException {
      Files.setPosixFilePermissions(dir, PosixFilePermissions.fromString("rwxrwxrwx"));

      assertThat(SocketPath.choose(Directories.ofSockets(dir.toString())).getParent())
          .isEqualTo(dir.resolve(ownDirectory()));
    }

    @Test
    void configured_links_areResolved() throws IOException {
      Path real = Files.createDirectory(dir.resolve("r"));
      Path link = Files.createSymbolicLink(dir.resolve("l"), real);

      assertThat(SocketPath.choose(Directories.ofSockets(link.toString())).getParent())
          .isEqualTo(real);
    }

    @Test
    void configured_relativeOrWithDots_isResolved() throws IOException {
      Files.createDirectory(dir.resolve("r"));
      Path here = Path.of("").toRealPath();

      assertThat(
              SocketPath.choose(Directories.ofSockets(here.relativize(dir) + "/r/../r"))
                  .getParent())
          .isEqualTo(dir.resolve("r"));
    }

    @Test
    void configured_pathOf89Bytes_isTaken() throws IOException {
      String configured = directoryForPathOf(89);

      assertThat(SocketPath.choose(Directories.ofSockets(configured)).toString())
          .hasSize(89)
          .startsWith(configured);
    }

    @Test
    void configured_pathOf90Bytes_namesTheProperty() throws IOException {
      String configured = directoryForPathOf(90);

      assertThatThrownBy(() -> SocketPath.choose(Directories.ofSockets(configured)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("89 bytes")
          .hasMessageContaining(PROPERTY)
          .hasMessageContaining(configured);
    }

    @Test
    void configured_path_isCountedInBytes() throws IOException {
      assumeTrue(
          "UTF-8".equals(System.getProperty("sun.jnu.encoding")),
          "needs UTF-8 file names to check that bytes are counted");
      String ascii = directoryForPathOf(89);
      String configured = ascii.substring(0, ascii.length() - 1) + "ä";

      assertThatThrownBy(() -> SocketPath.choose(Directories.ofSockets(configured)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("89 bytes");
    }

    @Test
    void configured_unusable_namesPropertyAndValue() throws IOException {
      Path file = Files.createFile(dir.resolve("file"));

      assertThatThrownBy(() -> SocketPath.choose(Directories.ofSockets(file.toString())))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(PROPERTY + " (now " + file + ")");
    }

    @Test
    void configured_impossible_namesPropertyAndValue() {
      assertThatThrownBy(() -> SocketPath.choose(Directories.ofSockets("/tmp/\0")))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(PROPERTY + " (now /tmp/\0)");
    }

    private String directoryForPathOf(int bytes) throws IOException {
      int name =
          SocketPath.choose(Directories.ofSockets(dir.toString()))
              .getFileName()
              .toString()
              .length();
      return dir + "/" + "d".repeat(bytes - name - 1 - dir.toString().length() - 1);
    }
  }
}

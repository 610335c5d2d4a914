/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.posix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OpenDirectoryTest {
  @TempDir Path temp;
  private Path directory;

  @BeforeEach
  void createDirectory() throws IOException {
    directory = PrivateDirectory.in(temp);
  }

  @Test
  void path_thatLeadsElsewhereMeanwhile_doesNotMatter() throws IOException {
    Path moved = temp.resolve("moved");
    try (OpenDirectory open = OpenDirectory.of(directory)) {
      Files.move(directory, moved);
      Files.createDirectory(directory);
      open.create("new", new byte[] {1, 2});
      Files.createFile(directory.resolve("old"));
      Files.createFile(moved.resolve("old"));
      open.delete("old");
    }

    assertThat(moved.resolve("new")).hasBinaryContent(new byte[] {1, 2});
    assertThat(directory).isDirectoryContaining(file -> file.endsWith("old"));
    assertThat(moved.resolve("old")).doesNotExist();
  }

  @Test
  void file_created_isForTheOwnerOnlyAndNew() throws IOException {
    try (OpenDirectory open = OpenDirectory.of(directory)) {
      open.create("file", new byte[0]);

      assertThat(
              PosixFilePermissions.toString(
                  Files.getPosixFilePermissions(directory.resolve("file"))))
          .isEqualTo("rw-------");
      assertThatThrownBy(() -> open.create("file", new byte[0]))
          .isInstanceOf(FileAlreadyExistsException.class);
    }
  }

  @Test
  void directory_thatIsNotPrivate_isRefused() throws IOException {
    Path link = Files.createSymbolicLink(temp.resolve("link"), directory);
    assertThatThrownBy(() -> OpenDirectory.of(link)).hasMessageContaining(link.toString());

    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
    assertThatThrownBy(() -> OpenDirectory.of(directory))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(directory.toString());
  }

  @Test
  void path_thatLedElsewhereWhenItWasOpened_isRefused() throws IOException {
    Path other = Files.createDirectory(temp.resolve("other"));
    Object key = Files.getAttribute(other, "unix:fileKey");

    assertThatThrownBy(() -> PrivateDirectory.mode(directory, key))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(directory.toString());
    assertThat(PrivateDirectory.mode(directory, Files.getAttribute(directory, "unix:fileKey")))
        .isEqualTo(040700);
  }
}

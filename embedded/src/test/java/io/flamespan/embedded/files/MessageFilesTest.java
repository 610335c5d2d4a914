/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files of several processes stay private, small, apart and within their limit. */
class MessageFilesTest {
  private static final byte[] MESSAGE = "0123456789ab".getBytes(StandardCharsets.UTF_8);
  private static final int SIZE = 4 + MESSAGE.length; // with its length

  @TempDir private Path temporary;

  /** With two messages in a file, and five files. */
  private MessageFiles files(Path directory) {
    return new MessageFiles(directory, "my shop/1", 2 * SIZE, 10 * SIZE);
  }

  private static List<Path> in(Path directory) throws IOException {
    try (Stream<Path> below = Files.walk(directory)) {
      return below.filter(Files::isRegularFile).sorted().toList();
    }
  }

  private static List<String> names(Path directory) throws IOException {
    return in(directory).stream().map(file -> file.getFileName().toString()).toList();
  }

  private static String permissions(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void files_always_areReadByTheUserOnly() throws IOException {
    Path directory = temporary.resolve("new/directory");
    files(directory).write(MESSAGE);

    Path file = in(directory).get(0);
    assertThat(permissions(directory)).isEqualTo("rwx------");
    assertThat(permissions(file.getParent())).isEqualTo("rwx------");
    assertThat(permissions(file)).isEqualTo("rw-------");
    assertThat(file.getParent().getFileName().toString()).startsWith("my_shop_1-2");
  }

  @Test
  void file_full_isFollowedByAnother() throws IOException {
    MessageFiles files = files(temporary);
    for (int i = 0; i < 5; i++) {
      files.write(MESSAGE);
    }

    assertThat(names(temporary)).containsExactly("000001.otlp", "000002.otlp", "000003.otlp");
    assertThat(in(temporary)).allMatch(file -> file.toFile().length() <= 2 * SIZE);
  }

  @Test
  void message_long_hasAFileOfItsOwn() throws IOException {
    MessageFiles files = files(temporary);
    files.write(MESSAGE);
    files.write(new byte[76]);
    files.write(MESSAGE);

    assertThat(in(temporary))
        .extracting(file -> file.toFile().length())
        .containsExactly(16L, 80L, 16L);
  }

  @Test
  void files_aboveTheLimit_loseTheOldestOfAllProcesses() throws IOException {
    MessageFiles ended = files(temporary);
    ended.write(MESSAGE);
    ended.write(MESSAGE);
    Path oldest = in(temporary).get(0);
    Files.setLastModifiedTime(oldest, FileTime.fromMillis(1));
    MessageFiles running = files(temporary);
    for (int i = 0; i < 20; i++) {
      running.write(MESSAGE);
      assertThat(in(temporary).stream().mapToLong(file -> file.toFile().length()).sum())
          .isLessThanOrEqualTo(10 * SIZE);
    }

    assertThat(oldest).doesNotExist();
    assertThat(oldest.getParent()).doesNotExist();
    assertThat(names(temporary)).hasSize(5).endsWith("000010.otlp");
  }

  @Test
  void files_ofOthers_areLeftAlone() throws IOException {
    Path foreign = Files.createDirectories(temporary.resolve("traces")).resolve("000001.otlp");
    Files.write(foreign, new byte[1_000]);
    Path other = Files.write(temporary.resolve("000001.otlp"), new byte[1_000]);
    Path outside = Files.createDirectories(temporary.resolve("outside"));
    Path linked = Files.write(outside.resolve("000001.otlp"), new byte[1_000]);
    Path directory = Files.createDirectories(temporary.resolve("files"));
    Files.createSymbolicLink(directory.resolve("shop-20260101T000000Z-1"), outside);
    MessageFiles files = files(directory);
    for (int i = 0; i < 20; i++) {
      files.write(MESSAGE);
    }

    assertThat(foreign).exists();
    assertThat(other).exists();
    assertThat(linked).exists();
  }

  @Test
  void processes_inOneDirectory_doNotMix() throws IOException {
    files(temporary).write(MESSAGE);
    files(temporary).write(MESSAGE);

    assertThat(in(temporary)).extracting(Path::getParent).doesNotHaveDuplicates().hasSize(2);
  }

  @Test
  void files_deleted_areBegunAnew() throws IOException {
    MessageFiles files = files(temporary.resolve("files"));
    files.write(MESSAGE);
    Path first = in(temporary).get(0);
    Files.delete(first);
    files.write(MESSAGE);
    assertThat(names(temporary)).containsExactly("000002.otlp");

    Files.delete(in(temporary).get(0));
    Files.delete(first.getParent());
    Files.delete(temporary.resolve("files"));
    files.write(MESSAGE);
    assertThat(names(temporary)).containsExactly("000003.otlp");
  }

  @Test
  void write_failed_isFollowedByOthers() throws IOException {
    Path directory = Files.write(temporary.resolve("files"), new byte[0]);
    MessageFiles files = files(directory);
    assertThatThrownBy(() -> files.write(MESSAGE)).isInstanceOf(IOException.class);

    Files.delete(directory);
    files.write(MESSAGE);
    assertThat(in(directory).get(0)).hasContent("\0\0\0\u000c0123456789ab");
  }
}

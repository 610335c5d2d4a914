/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.input;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.flamespan.page.model.KeptMessages;
import io.flamespan.page.model.RecentTexts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GrowingFileTest {
  private static final Path OPEN = Path.of("/proc/self/fd");

  @TempDir Path directory;

  @Test
  void file_withADamagedHeader_isClosed() throws IOException {
    assumeThat(OPEN).exists();
    Path lines = Files.write(directory.resolve("lines"), "{}\n".getBytes(UTF_8));
    GrowingFile file = followed(lines);
    file.read(Long.MAX_VALUE);
    for (byte[] header : List.of(new byte[] {0x1f, (byte) 0x8b}, damaged())) {
      Path other = Files.write(directory.toRealPath().resolve("file.gz"), header);

      followed(other).read(Long.MAX_VALUE);
      assertThat(open()).as("read").doesNotContain(other);
      assertThatThrownBy(() -> file.isIn(other)).isInstanceOf(IOException.class);
      assertThat(open()).as("compared").doesNotContain(other);
    }
  }

  private static byte[] damaged() {
    byte[] header = new byte[10];
    header[0] = 0x1f;
    header[1] = (byte) 0x8b;
    header[2] = 1; // no known method
    return header;
  }

  private static GrowingFile followed(Path file) {
    return new GrowingFile(file, new KeptMessages(new RecentTexts()), new Problems());
  }

  /** The files that this process has open. */
  private static List<Path> open() throws IOException {
    List<Path> open = new ArrayList<>();
    try (var all = Files.newDirectoryStream(OPEN)) {
      for (Path one : all) {
        try {
          open.add(Files.readSymbolicLink(one));
        } catch (NoSuchFileException e) {
          // It was closed meanwhile.
        }
      }
    }
    return open;
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.doctor.internal.proc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TargetProcessTest {
  private static final int MAPPINGS = 6_000; // more than 16 MiB of names with 3,000 bytes each

  @TempDir Path directory;

  @Test
  void mappings_tooManyToRead_areNotSomeOfThem() throws IOException {
    TargetProcess self = TargetProcess.self();
    assertThat(self.mappings()).isNotEmpty();
    assertThat(self.isJava()).isTrue();
    Path file = directory;
    while (file.toString().length() < 3_000) {
      file = file.resolve("d".repeat(250));
    }
    Files.createDirectories(file);
    file = Files.write(file.resolve("file"), new byte[1]);
    List<MappedByteBuffer> mapped = new ArrayList<>();
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      for (int i = 0; i < MAPPINGS; i++) {
        mapped.add(channel.map(MapMode.READ_ONLY, 0, 1));
      }
    }

    assertThatThrownBy(self::mappings).isInstanceOf(IOException.class).hasMessageContaining("long");
    assertThat(mapped).hasSize(MAPPINGS);
  }
}

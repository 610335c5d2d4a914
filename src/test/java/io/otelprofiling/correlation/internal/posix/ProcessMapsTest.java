/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.posix;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessMapsTest {
  private static final String TEXT = "/lib/wanted.so";

  @TempDir Path temp;

  private boolean contains(String content, String... texts) throws IOException {
    return ProcessMaps.contains(Files.writeString(temp.resolve("maps"), content), texts);
  }

  @Test
  void text_anywhere_isFound() throws IOException {
    for (int before = 0; before < 70_000; before += 97) {
      assertThat(contains("x".repeat(before) + TEXT + "\n", TEXT)).as("at " + before).isTrue();
    }
  }

  @Test
  void text_atTheBorderOfTwoPieces_isFound() throws IOException {
    for (int before = (1 << 14) - TEXT.length() - 1; before <= (1 << 14) + 1; before++) {
      assertThat(contains("x".repeat(before) + TEXT, "no", TEXT)).as("at " + before).isTrue();
    }
  }

  @Test
  void text_missingOrCut_isNotFound() throws IOException {
    assertThat(contains("", TEXT)).isFalse();
    assertThat(contains("/lib/wanted.s".repeat(5_000), TEXT, "other")).isFalse();
  }

  @Test
  void mappings_ofThisProcess_nameItsJvm() throws IOException {
    assertThat(ProcessMaps.contain("/libjvm.so\n")).isTrue();
    assertThat(ProcessMaps.contain("/not-there.so")).isFalse();
  }
}

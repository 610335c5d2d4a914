/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.status;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The plug-in's jar is found through the agent's setting, whatever else the setting names. */
class ExtensionJarTest {
  private static final Path OURS = Path.of(System.getProperty("test.plugin.jar"));

  @TempDir Path directory;

  @Test
  void jar_amongOthers_isFound() throws IOException {
    Path other = Files.writeString(directory.resolve("other.jar"), "no archive");

    assertThat(ExtensionJar.in("/none.jar, " + other + ", " + OURS)).isEqualTo(OURS.toString());
  }

  @Test
  void jar_inADirectory_isFound() throws IOException {
    Path copy = Files.copy(OURS, directory.resolve("a.jar"));

    assertThat(ExtensionJar.in(directory.toString())).isEqualTo(copy.toString());
  }

  @Test
  void jar_notNamed_isNotFound() {
    assertThat(ExtensionJar.in("")).isEmpty();
    assertThat(ExtensionJar.in(directory.toString())).isEmpty();
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.status;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The plug-in's jar is found through the agent's setting, whatever else the setting names. */
class ExtensionJarTest {
  @TempDir Path directory;

  @Test
  void jar_amongOthers_isFound() throws IOException {
    Path other = Files.writeString(directory.resolve("other.jar"), "no archive");
    Path ours = ourJar();

    assertThat(ExtensionJar.in("/none.jar, " + other + ", " + ours)).isEqualTo(ours.toString());
  }

  @Test
  void jar_inADirectory_isFound() throws IOException {
    Path ours = ourJar();

    assertThat(ExtensionJar.in(directory.toString())).isEqualTo(ours.toString());
  }

  @Test
  void jar_notNamed_isNotFound() {
    assertThat(ExtensionJar.in("")).isEmpty();
    assertThat(ExtensionJar.in(directory.toString())).isEmpty();
  }

  /** Returns a jar that has the class by which ours is known. */
  private Path ourJar() throws IOException {
    Path jar = directory.resolve("a.jar");
    try (ZipOutputStream entries = new ZipOutputStream(Files.newOutputStream(jar))) {
      entries.putNextEntry(new ZipEntry(Origin.class.getName().replace('.', '/') + ".class"));
    }
    return jar;
  }
}

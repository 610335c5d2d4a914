/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;

/** Promise: one small jar for every application, with the libraries of both CPUs. */
class JarTest {
  private static final long MAX_BYTES = 424_000;

  private static final Path JAR = Path.of(System.getProperty("test.plugin.jar"));

  @Test
  void jar_ofAnyBuild_isSmall() throws IOException {
    assertThat(Files.size(JAR)).isLessThanOrEqualTo(MAX_BYTES);
  }

  @Test
  void jar_ofAnyBuild_hasNothingThatNobodyReads() throws IOException {
    try (JarFile jar = new JarFile(JAR.toFile())) {
      assertThat(Collections.list(jar.entries()))
          .noneMatch(ZipEntry::isDirectory)
          .noneMatch(entry -> entry.getName().startsWith("META-INF/maven/"));
    }
  }
}

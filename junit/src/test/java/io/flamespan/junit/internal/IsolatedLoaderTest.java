/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.junit.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Promise: libraries are found wherever a class loader says that the artifact is. */
class IsolatedLoaderTest {
  private static final String LIBRARY = "isolated/" + Library.class.getName().replace('.', '/');

  /** Is below isolated/. */
  static final class Library {}

  @TempDir private Path directory;
  private Path jar;

  @BeforeEach
  void copy() throws IOException {
    byte[] content;
    try (InputStream in = Library.class.getResourceAsStream("IsolatedLoaderTest$Library.class")) {
      content = in.readAllBytes();
    }
    jar = Files.createDirectory(directory.resolve("a b")).resolve("flamespan.jar");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      out.putNextEntry(new ZipEntry(LIBRARY + ".class"));
      out.write(content);
    }
    Path file = directory.resolve(LIBRARY + ".class");
    Files.createDirectories(file.getParent());
    Files.write(file, content);
  }

  private static void assertLoads(String location) throws Exception {
    try (IsolatedLoader loader = new IsolatedLoader(new URL(location))) {
      Class<?> loaded = Class.forName(Library.class.getName(), true, loader);
      assertThat(loaded.getClassLoader()).isSameAs(loader);
      assertThat(loaded.getProtectionDomain().getCodeSource().getLocation().toString())
          .endsWith("/isolated/");
    }
  }

  @Test
  void library_inAJar_isLoaded() throws Exception {
    assertLoads(jar.toUri().toString());
  }

  @Test
  void library_inAJarWhoseSpaceIsNotEscaped_isLoaded() throws Exception {
    assertLoads("file:" + jar);
  }

  @Test
  void library_inTheUrlOfAJarsRoot_isLoaded() throws Exception {
    assertLoads("jar:" + jar.toUri() + "!/");
  }

  @Test
  void library_inADirectory_isLoaded() throws Exception {
    assertLoads(directory.toUri().toString());
  }
}

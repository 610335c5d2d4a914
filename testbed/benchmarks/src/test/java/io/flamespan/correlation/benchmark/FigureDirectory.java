/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.benchmark;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A directory for the files of a figure. */
final class FigureDirectory implements AutoCloseable {
  private final Path path;

  FigureDirectory(String prefix) throws IOException {
    path = Files.createTempDirectory(prefix);
  }

  Path path() {
    return path;
  }

  Path resolve(String name) {
    return path.resolve(name);
  }

  /**
   * Returns a class path with only these classes. The tests contain SDK customizers, which must not
   * run here.
   */
  String classPath(Class<?>... types) throws IOException {
    for (Class<?> type : types) {
      String file = type.getName().replace('.', '/') + ".class";
      Path copy = path.resolve("classes").resolve(file);
      Files.createDirectories(copy.getParent());
      if (!Files.exists(copy)) {
        Files.copy(type.getResourceAsStream("/" + file), copy);
      }
    }
    return path.resolve("classes").toString();
  }

  @Override
  public void close() throws IOException {
    try (Stream<Path> files = Files.walk(path)) {
      files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
    }
  }
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.examples.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A temporary directory for this user only, deleted with all that is in it. */
final class TemporaryDirectory implements AutoCloseable {

  private final Path path;

  /** Creates it. */
  TemporaryDirectory() throws IOException {
    // Short: the path of a socket in it has to fit into about 90 bytes.
    path = Files.createTempDirectory("run");
  }

  /** A file in it, which need not exist. */
  Path file(String name) {
    return path.resolve(name);
  }

  /** Makes a directory in it. */
  Path newDirectory(String name) throws IOException {
    return Files.createDirectory(path.resolve(name));
  }

  @Override
  public void close() throws IOException {
    try (Stream<Path> walk = Files.walk(path)) {
      List<Path> deepestFirst = walk.sorted(Comparator.reverseOrder()).collect(Collectors.toList());
      for (Path each : deepestFirst) {
        Files.deleteIfExists(each);
      }
    }
  }
}

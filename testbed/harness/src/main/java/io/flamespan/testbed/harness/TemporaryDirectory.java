/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A temporary directory that only this user can access. Closing deletes it with its contents. */
public final class TemporaryDirectory implements AutoCloseable {

  private final Path path;

  /** Creates the directory. */
  public TemporaryDirectory() throws IOException {
    // The name is short because the path of a socket in it must fit into about 90 bytes.
    path = Files.createTempDirectory("run");
  }

  /** Returns the path of a file in this directory, which need not exist. */
  public Path file(String name) {
    return path.resolve(name);
  }

  /** Creates a directory in this one. */
  public Path newDirectory(String name) throws IOException {
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

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded.faults;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A library in C, which a test compiles. */
final class CompiledLibrary {
  /** Compiles a resource, or skips the test if there is no compiler. */
  static Path of(String resource, Path directory, String... options) throws Exception {
    Path source = directory.resolve(resource);
    try (InputStream program = CompiledLibrary.class.getResourceAsStream("/" + resource)) {
      Files.write(source, program.readAllBytes());
    }
    Path library = directory.resolve("lib" + resource.replace(".c", ".so"));
    List<String> command = new ArrayList<>(List.of("gcc"));
    command.addAll(List.of(options));
    command.addAll(List.of("-shared", "-fPIC", "-pthread", "-o", "" + library, "" + source));
    assumeTrue(new ProcessBuilder(command).start().waitFor() == 0, "gcc does not compile");
    return library;
  }

  private CompiledLibrary() {}
}

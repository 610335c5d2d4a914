/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Replaces the plug-in's library for sockets. */
public final class SocketLibraries {
  private SocketLibraries() {}

  /** Returns a directory to put first on the class path, in which that library is a text file. */
  public static Path unusable(Path directory) throws IOException {
    Path classes = directory.resolve("classes");
    Path nativelib = classes.resolve("io/flamespan/correlation/internal/nativelib");
    Files.createDirectories(nativelib);
    for (String architecture : List.of("x64", "arm64")) {
      Files.writeString(
          nativelib.resolve("flamespan-sockets-linux-" + architecture + ".so"), "no library");
    }
    return classes;
  }
}

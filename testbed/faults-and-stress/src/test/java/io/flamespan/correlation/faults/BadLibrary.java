/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.faults;

import io.flamespan.correlation.ProfilingCorrelation;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.UnaryOperator;

/** Files that replace a native library and that the dynamic linker refuses. */
enum BadLibrary {
  TEXT(library -> "no library".getBytes(StandardCharsets.US_ASCII)),
  EMPTY(library -> new byte[0]),
  OTHER_CPU(BadLibrary::forAnotherCpu);

  private static final String RESOURCES = "io/flamespan/correlation/internal/nativelib";

  // Offset in the header of an ELF file.
  private static final int MACHINE = 18;
  private static final int RISC_V = 243;

  private final UnaryOperator<byte[]> change;

  BadLibrary(UnaryOperator<byte[]> change) {
    this.change = change;
  }

  private static byte[] forAnotherCpu(byte[] library) {
    byte[] other = library.clone();
    other[MACHINE] = (byte) RISC_V;
    return other;
  }

  /** Writes such a file under the library's name. Returns a directory for the class path. */
  Path writeInPlaceOf(String prefix, Path directory) throws IOException {
    String cpu = System.getProperty("os.arch").equals("aarch64") ? "arm64" : "x64";
    String name = prefix + cpu + ".so";
    Path resources = Files.createDirectories(directory.resolve(RESOURCES));
    ClassLoader loader = ProfilingCorrelation.class.getClassLoader();
    try (InputStream library = loader.getResourceAsStream(RESOURCES + "/" + name)) {
      Files.write(resources.resolve(name), change.apply(library.readAllBytes()));
    }
    return directory;
  }
}

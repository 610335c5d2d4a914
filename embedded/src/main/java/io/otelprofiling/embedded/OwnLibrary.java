/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.embedded;

import io.otelprofiling.correlation.internal.nativelib.UnguessableFiles;
import io.otelprofiling.correlation.internal.posix.ConfiguredDirectory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import one.profiler.AsyncProfiler;

/**
 * The library of async-profiler, as a file that nobody can exchange before it is loaded. The file
 * that async-profiler creates itself can be exchanged where others may write.
 */
final class OwnLibrary {
  /** The property of async-profiler that names its library. */
  private static final String FILE = "one.profiler.libraryPath";

  private static final int CHUNK = 8192;

  /**
   * Loads it, unless it is loaded.
   *
   * @throws UnsupportedOperationException if there is none for this platform
   */
  static AsyncProfiler load(ConfiguredDirectory parent) throws IOException {
    byte[] content = read();
    if (content.length == 0 || System.getProperty(FILE) != null) {
      return AsyncProfiler.getInstance();
    }
    Path directory = parent.open();
    UnguessableFiles.removeStale(directory, System.currentTimeMillis());
    Path file = UnguessableFiles.write(directory, "libasyncProfiler", content);
    System.setProperty(FILE, file.toString()); // not used if the JVM has been started with one
    try {
      return AsyncProfiler.getInstance();
    } finally {
      System.clearProperty(FILE);
      Files.deleteIfExists(file);
    }
  }

  /** Returns nothing where async-profiler has to choose. */
  private static byte[] read() throws IOException {
    String cpu = System.getProperty("os.arch", "");
    boolean isX64 = cpu.equals("amd64") || cpu.equals("x86_64");
    String name = "/linux-" + (isX64 ? "x64" : cpu.equals("aarch64") ? "arm64" : cpu);
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    try (InputStream packed =
        AsyncProfiler.class.getResourceAsStream(name + "/libasyncProfiler.so")) {
      if (packed == null || !System.getProperty("os.name", "").equals("Linux")) {
        return new byte[0];
      }
      byte[] chunk = new byte[CHUNK];
      for (int n = packed.read(chunk); n >= 0; n = packed.read(chunk)) {
        content.write(chunk, 0, n);
      }
    }
    return content.toByteArray();
  }

  private OwnLibrary() {}
}

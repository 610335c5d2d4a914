/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Reads the status file of the plug-in. */
public final class StatusText {
  /** Returns the entries of the only status file of this process. */
  public static Map<String, String> ofThisProcess() {
    List<Path> files =
        files(Path.of(System.getProperty("java.io.tmpdir")), ProcessHandle.current().pid());
    if (files.size() != 1) {
      throw new AssertionError("status files: " + files);
    }
    return read(files.get(0));
  }

  /** Returns the status files of a process in the private directory below this one. */
  public static List<Path> files(Path temporary, long pid) {
    try {
      Path user = temporary.resolve("otel-profiling-" + Files.getAttribute(self(), "unix:uid"));
      try (Stream<Path> files = Files.list(user)) {
        String name = "status-" + pid + "-[0-9a-f]{8}";
        return files.filter(file -> file.getFileName().toString().matches(name)).toList();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path self() {
    return Path.of("/proc/self");
  }

  public static Map<String, String> read(Path file) {
    try {
      Map<String, String> entries = new LinkedHashMap<>();
      for (String line : Files.readAllLines(file)) {
        int end = line.indexOf('=');
        entries.put(line.substring(0, end), line.substring(end + 1));
      }
      return entries;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private StatusText() {}
}

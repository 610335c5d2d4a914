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

/** Reads the status of the plug-in. */
public final class StatusText {
  /** Returns the entries of this process. */
  public static Map<String, String> ofThisProcess() {
    return of(ProcessHandle.current().pid());
  }

  /** Returns the entries of a process: lines of the text, and counters. */
  public static Map<String, String> of(long pid) {
    try (StatusBlockReader reader = new StatusBlockReader(pid)) {
      Map<String, String> entries = reader.tryRead();
      while (entries == null) {
        entries = reader.tryRead();
      }
      return entries;
    }
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

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.check;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.otelprofiling.correlation.internal.status.StatusFile;
import io.otelprofiling.correlation.internal.threads.FilesThread;
import io.otelprofiling.correlation.testing.StatusText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Reads a status file with arbitrary bytes. If the first byte is odd, the rest is values, which the
 * plug-in writes and the doctor must read back, one per line.
 */
public final class InsideFactsTarget {
  private static final String LOADER = "0f0f0f0f";
  private static final FilesThread FILES = new FilesThread();
  private static final StatusFile STATUS = new StatusFile(LOADER, FILES);
  private static final Path FILE = written();

  public static void fuzzerTestOneInput(byte[] input) throws IOException {
    if (input.length == 0) {
      return;
    }
    byte[] rest = Arrays.copyOfRange(input, 1, input.length);
    if ((input[0] & 1) == 0) {
      Files.write(FILE, rest);
      InsideFacts.read(FILE);
      return;
    }
    Map<String, Object> entries = new LinkedHashMap<>();
    Map<String, String> expected = new LinkedHashMap<>();
    for (String value : new String(rest, UTF_8).split("\0", -1)) {
      String key = "key" + entries.size();
      entries.put(key, value);
      expected.put(key, value.replaceAll("[\\x00-\\x1f\\x{85}\\x{2028}\\x{2029}]", " "));
    }
    write(entries);
    Map<String, String> read = InsideFacts.read(FILE);
    if (!read.equals(expected)) {
      throw new AssertionError(read + ", not " + expected);
    }
  }

  private static void write(Map<String, Object> entries) {
    STATUS.write(new Entries(entries));
    if (!FILES.await(60_000)) {
      throw new AssertionError("not written");
    }
  }

  private static Path written() {
    write(Map.of());
    return StatusText.files(
            Path.of(System.getProperty("java.io.tmpdir")), ProcessHandle.current().pid())
        .stream()
        .filter(file -> file.toString().endsWith(LOADER))
        .findFirst()
        .orElseThrow();
  }

  /** Not a lambda: the files thread would wait for the initialization of this class. */
  private record Entries(Map<String, Object> entries) implements Supplier<Map<String, Object>> {
    @Override
    public Map<String, Object> get() {
      return entries;
    }
  }

  private InsideFactsTarget() {}
}

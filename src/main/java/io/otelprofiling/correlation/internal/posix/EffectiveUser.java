/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.posix;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;

/** The id of the user as which this process runs, which Java does not provide. */
final class EffectiveUser {
  private static final int HEAD = 1_024; // has the line, at most the tenth
  private static final String LINE = "\nUid:\t";

  static int id() throws IOException {
    return id(Paths.get("/proc/self/status"));
  }

  /** Returns the second of the four ids in a file with the format of {@code /proc/self/status}. */
  static int id(Path status) throws IOException {
    String text;
    try (InputStream in = Files.newInputStream(status)) {
      byte[] head = new byte[HEAD];
      text = new String(head, 0, Math.max(0, in.read(head)), StandardCharsets.ISO_8859_1);
    }
    int line = text.indexOf(LINE);
    int start = line < 0 ? -1 : text.indexOf('\t', line + LINE.length()) + 1;
    int end = start <= 0 ? -1 : text.indexOf('\t', start);
    if (end < 0) {
      throw new IOException(status + " does not contain the effective user");
    }
    try {
      return Integer.parseUnsignedInt(text.substring(start, end));
    } catch (NumberFormatException e) {
      throw new IOException(status + " does not contain the effective user", e);
    }
  }

  private EffectiveUser() {}
}

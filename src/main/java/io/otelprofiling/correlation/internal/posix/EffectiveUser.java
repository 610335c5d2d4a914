/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.posix;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;

/** The one fact about this process that Java does not tell: the id of the user that it runs as. */
final class EffectiveUser {
  private static final String LINE = "\nUid:\t";

  static int id() throws IOException {
    return id(Paths.get("/proc/self/status"));
  }

  /** As in a file of that format: the second of four ids. */
  static int id(Path status) throws IOException {
    String text = new String(Files.readAllBytes(status), StandardCharsets.ISO_8859_1);
    int line = text.indexOf(LINE);
    int start = line < 0 ? -1 : text.indexOf('\t', line + LINE.length()) + 1;
    int end = start <= 0 ? -1 : text.indexOf('\t', start);
    if (end < 0) {
      throw new IOException(status + " does not tell the effective user");
    }
    try {
      return Integer.parseUnsignedInt(text.substring(start, end));
    } catch (NumberFormatException e) {
      throw new IOException(status + " does not tell the effective user", e);
    }
  }

  private EffectiveUser() {}
}

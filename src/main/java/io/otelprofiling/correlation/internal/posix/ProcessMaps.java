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

/**
 * Searches the mappings of this process. A JVM has a thousand of them: reading them as a whole
 * allocates three times their size, and reading them by line takes 20 ms at a start.
 */
public final class ProcessMaps {
  private static final int PIECE = 1 << 14;

  /**
   * Returns whether the mappings contain one of these short texts.
   *
   * @throws IOException if they cannot be read
   */
  public static boolean contain(String... texts) throws IOException {
    return contains(Paths.get("/proc/self/maps"), texts);
  }

  static boolean contains(Path file, String... texts) throws IOException {
    int overlap = 0;
    for (String text : texts) {
      overlap = Math.max(overlap, text.length() - 1);
    }
    byte[] piece = new byte[PIECE];
    int kept = 0;
    try (InputStream in = Files.newInputStream(file)) {
      for (int read = in.read(piece, kept, PIECE - kept);
          read > 0;
          read = in.read(piece, kept, PIECE - kept)) {
        int length = kept + read;
        String searched = new String(piece, 0, length, StandardCharsets.ISO_8859_1);
        for (String text : texts) {
          if (searched.contains(text)) {
            return true;
          }
        }
        kept = Math.min(overlap, length);
        System.arraycopy(piece, length - kept, piece, 0, kept);
      }
    }
    return false;
  }

  private ProcessMaps() {}
}

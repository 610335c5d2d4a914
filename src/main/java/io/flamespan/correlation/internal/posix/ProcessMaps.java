/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.posix;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Paths;

/** The mappings of this process. */
public final class ProcessMaps {
  /**
   * Returns the mappings as the kernel writes them: a line each, which ends with the name. A JVM
   * has a thousand of them, so searching the text as a whole is much faster than line by line.
   *
   * @throws IOException if they cannot be read; the message contains the remedy
   */
  public static String read() throws IOException {
    try {
      // The dynamic linker receives the names found here in this character set.
      return new String(Files.readAllBytes(Paths.get("/proc/self/maps")), Charset.defaultCharset());
    } catch (IOException e) {
      throw new IOException(
          "the mappings of this process cannot be read ("
              + e
              + "). Mount proc at /proc, and let this process read it",
          e);
    }
  }

  private ProcessMaps() {}
}

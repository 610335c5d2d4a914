/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.posix;

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
   * @throws IOException if they cannot be read
   */
  public static String read() throws IOException {
    // The dynamic linker receives the names found here in this character set.
    return new String(Files.readAllBytes(Paths.get("/proc/self/maps")), Charset.defaultCharset());
  }

  private ProcessMaps() {}
}

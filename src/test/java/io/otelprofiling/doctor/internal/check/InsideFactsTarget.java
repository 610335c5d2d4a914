/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.check;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads a status file with arbitrary bytes. */
public final class InsideFactsTarget {
  public static void fuzzerTestOneInput(byte[] input) throws IOException {
    Path file = Files.createTempFile("status", null);
    try {
      Files.write(file, input);
      InsideFacts.read(file);
    } finally {
      Files.delete(file);
    }
  }

  private InsideFactsTarget() {}
}

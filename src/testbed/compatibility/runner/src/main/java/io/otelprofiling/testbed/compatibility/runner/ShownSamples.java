/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.testbed.compatibility.runner;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * How many samples have shown the span of their thread so far, as the stand-in profiler writes at
 * the beginning of the file with the expected spans.
 */
record ShownSamples(Path expectedSpans) {
  /** So many samples tell enough of a row. */
  static final int ENOUGH = 100;

  boolean areEnough() {
    try (DataInputStream file = new DataInputStream(Files.newInputStream(expectedSpans))) {
      return file.readLong() >= ENOUGH;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.compatibility.runner;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The number of samples so far that showed the span of their thread. The stand-in profiler writes
 * it at the beginning of the file with the expected spans.
 */
record ShownSamples(Path expectedSpans) {
  /** The number of samples that is enough to judge a row. */
  static final int ENOUGH = 100;

  boolean areEnough() {
    try (DataInputStream file = new DataInputStream(Files.newInputStream(expectedSpans))) {
      return file.readLong() >= ENOUGH;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;

/** Tells early, once for each set, that files have more samples than this program is for. */
final class ManySamples {
  /** What to do about it. */
  static final String REMEDY =
      "let the collector write to ClickHouse, and run this program with --clickhouse URL --from"
          + " TIME (docs/flame-graphs.md, From ClickHouse)";

  private static final long MANY = 5_000_000;
  private static final double LEAST_SHARE = 0.02; // of a file's bytes, before anything is told

  private final Consumer<String> log;
  private long samplesBefore; // of files that were read
  private long bytes; // of the file that is read; 0 of a pipe
  private long read; // of these bytes
  private long samples; // in these bytes
  private boolean told;

  /** Takes what receives the line. */
  ManySamples(Consumer<String> log) {
    this.log = log;
  }

  /** Another file is read from now on. Others may be quite different, and tell nothing of it. */
  void begin(long bytesOfFile) {
    samplesBefore += samples;
    bytes = bytesOfFile;
    read = 0;
    samples = 0;
  }

  void read(long moreBytes) {
    read += moreBytes;
  }

  void add(long moreSamples) {
    samples += moreSamples;
    if (told || bytes == 0 || read < LEAST_SHARE * bytes) {
      return;
    }
    Optional<String> line = line(samplesBefore + samples * (double) bytes / read);
    told = line.isPresent();
    line.ifPresent(log);
  }

  /** The line, if so many samples are too many. */
  static Optional<String> line(double samples) {
    if (samples < MANY) {
      return Optional.empty();
    }
    return Optional.of(
        String.format(
            Locale.ROOT,
            "these files have about %,d million samples, which take long and may not fit into a"
                + " heap of %,d MB: for so many, %s",
            Math.round(samples / 1e6),
            Runtime.getRuntime().maxMemory() >> 20,
            REMEDY));
  }
}

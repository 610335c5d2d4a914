/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;

/** Tells early, and once, that files have more samples than this program is for. */
final class ManySamples {
  /** What to do about it. */
  static final String REMEDY =
      "let the collector write to ClickHouse, and run this program with --clickhouse URL --from"
          + " TIME (docs/flame-graphs.md, From ClickHouse)";

  private static final long MANY = 5_000_000;
  private static final double LEAST_SHARE = 0.02; // of the bytes, before anything is told

  private final long bytes; // of all files
  private final Consumer<String> log;
  private long read; // bytes
  private long samples;
  private boolean told;

  /** Takes the files that are read, and what receives the line. */
  ManySamples(List<Path> files, Consumer<String> log) {
    this.bytes = files.stream().mapToLong(file -> file.toFile().length()).sum();
    this.log = log;
  }

  void read(long moreBytes) {
    read += moreBytes;
  }

  void add(long moreSamples) {
    samples += moreSamples;
    Optional<String> line =
        told ? Optional.empty() : line(samples, (double) read / Math.max(1, bytes));
    told |= line.isPresent();
    line.ifPresent(log);
  }

  /** The line, if so many samples in this share of the bytes are a sign of too many. */
  static Optional<String> line(long samples, double share) {
    if (share < LEAST_SHARE || samples / share < MANY) {
      return Optional.empty();
    }
    return Optional.of(
        String.format(
            Locale.ROOT,
            "these files have about %,d million samples, which take long and may not fit into a"
                + " heap of %,d MB: for so many, %s",
            Math.round(samples / share / 1e6),
            Runtime.getRuntime().maxMemory() >> 20,
            REMEDY));
  }
}

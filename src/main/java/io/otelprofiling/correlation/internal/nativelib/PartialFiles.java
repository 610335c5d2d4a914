/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.nativelib;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Files that a process writes before it moves them into place. A killed process leaves them behind,
 * and any later start removes them.
 */
final class PartialFiles {
  private static final Logger logger = Logger.getLogger(PartialFiles.class.getName());

  private static final String PREFIX = "extract";
  private static final String SUFFIX = ".tmp";

  // Writing takes milliseconds, but the process or its container may be paused meanwhile.
  private static final long MAX_AGE_MILLIS = TimeUnit.DAYS.toMillis(1);

  static Path create(Path directory) throws IOException {
    return Files.createTempFile(directory, PREFIX, SUFFIX);
  }

  /** Removes old files. Never fails: files that cannot be removed stay. */
  static void removeStale(Path directory, long nowMillis) {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        String name = file.getFileName().toString();
        if (name.startsWith(PREFIX) && name.endsWith(SUFFIX)) {
          removeIfOld(file, nowMillis);
        }
      }
    } catch (IOException | RuntimeException e) {
      logger.log(Level.FINE, "Partial files in " + directory + " were not removed", e);
    }
  }

  private static void removeIfOld(Path file, long nowMillis) {
    try {
      long modified = Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS).toMillis();
      if (nowMillis - modified > MAX_AGE_MILLIS) {
        Files.deleteIfExists(file);
      }
    } catch (IOException | RuntimeException e) {
      logger.log(Level.FINE, "The partial file " + file + " was not removed", e);
    }
  }

  private PartialFiles() {}
}

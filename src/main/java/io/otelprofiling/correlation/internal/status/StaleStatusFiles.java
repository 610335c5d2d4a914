/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.status;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Removes the status files of processes that ended without removing them. */
final class StaleStatusFiles {
  static final String PREFIX = "status-";
  static final String TEMPORARY = ".tmp";

  /** The entry that names the namespace in which the process id in the file name is valid. */
  static final String NAMESPACE = "pid.namespace=";

  private static final Logger logger = Logger.getLogger(StaleStatusFiles.class.getName());

  private static final Pattern NAME =
      Pattern.compile(PREFIX + "(\\d+)-[0-9a-f]{8}(?:\\" + TEMPORARY + ")?");

  // Where containers share the directory, it is impossible to find out whether the process lives.
  private static final long MAX_AGE_MILLIS = TimeUnit.DAYS.toMillis(7);

  static void remove(Path directory) {
    remove(directory, Paths.get("/proc"), System.currentTimeMillis());
  }

  static void remove(Path directory, Path proc, long nowMillis) {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      String namespace = NAMESPACE + Files.readSymbolicLink(proc.resolve("self/ns/pid"));
      for (Path file : files) {
        Matcher name = NAME.matcher(file.getFileName().toString());
        if (name.matches()) {
          removeIfDead(file, proc.resolve(name.group(1)), namespace, nowMillis);
        }
      }
    } catch (IOException | RuntimeException e) {
      logger.log(Level.FINE, "Stale status files in " + directory + " were not removed", e);
    }
  }

  private static void removeIfDead(Path file, Path process, String namespace, long nowMillis) {
    try {
      boolean dead =
          isOfOtherNamespace(file, namespace)
              ? nowMillis - Files.getLastModifiedTime(file).toMillis() > MAX_AGE_MILLIS
              : !Files.exists(process);
      if (dead) {
        Files.deleteIfExists(file);
      }
    } catch (IOException | RuntimeException e) {
      logger.log(Level.FINE, "The stale status file " + file + " was not removed", e);
    }
  }

  private static boolean isOfOtherNamespace(Path file, String namespace) throws IOException {
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    String text = "\n" + new String(Files.readAllBytes(file), ISO_8859_1);
    return text.contains("\n" + NAMESPACE) && !text.contains("\n" + namespace + "\n");
  }

  private StaleStatusFiles() {}
}

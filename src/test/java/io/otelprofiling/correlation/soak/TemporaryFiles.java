/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.soak;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;

/** The directory for temporary files of one process, a small file system if we are root. */
final class TemporaryFiles {
  private static final String SIZE = "8m";

  private final Path directory;
  private final boolean mounted;

  TemporaryFiles(Path directory, boolean root) throws IOException {
    this.directory = directory;
    this.mounted = root;
    Files.createDirectory(directory);
    if (root) {
      Proc.run("mount", "-t", "tmpfs", "-o", "mode=0700,size=" + SIZE, "soak", directory + "");
    }
    permit("rwx------");
  }

  Path directory() {
    return directory;
  }

  boolean canBeFull() {
    return mounted;
  }

  void fill() {
    byte[] block = new byte[4096];
    try (OutputStream file = Files.newOutputStream(directory.resolve("filler"))) {
      while (true) {
        file.write(block);
      }
    } catch (IOException e) {
      // It is full now.
    }
  }

  void empty() throws IOException {
    Files.deleteIfExists(directory.resolve("filler"));
  }

  void permit(boolean writable) throws IOException {
    permit(writable ? "rwx------" : "r-x------");
  }

  private void permit(String permissions) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      List<Path> directories = files.filter(Files::isDirectory).toList();
      for (Path each : directories) {
        Files.setPosixFilePermissions(each, PosixFilePermissions.fromString(permissions));
      }
    }
  }

  void deleteSockets() throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".sock")).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (AccessDeniedException | UncheckedIOException e) {
      // The directory is not writable at the moment, or the application was faster.
    }
  }

  void remove() throws IOException {
    if (mounted) {
      Proc.run("umount", "-l", directory.toString());
    }
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.soak;

import java.io.File;
import java.io.FileFilter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/** The directory for temporary files of one process. As root, this is a small file system. */
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
      // The file system is full now.
    }
  }

  void empty() throws IOException {
    Files.deleteIfExists(directory.resolve("filler"));
  }

  void permit(boolean writable) throws IOException {
    permit(writable ? "rwx------" : "r-x------");
  }

  private void permit(String permissions) throws IOException {
    for (File each : directories(directory.toFile())) {
      Files.setPosixFilePermissions(each.toPath(), PosixFilePermissions.fromString(permissions));
    }
  }

  void deleteSockets() {
    for (File each : directories(directory.toFile())) {
      for (File socket : files(each, file -> file.getName().endsWith(".sock"))) {
        // The directory may be unwritable, or the application may have been faster.
        boolean unused = socket.delete();
      }
    }
  }

  /**
   * Returns the directory and everything below it. Unlike a stream, this tolerates files that
   * vanish.
   */
  private static List<File> directories(File top) {
    List<File> all = new ArrayList<>(List.of(top));
    for (File each : files(top, File::isDirectory)) {
      all.addAll(directories(each));
    }
    return all;
  }

  private static List<File> files(File directory, FileFilter filter) {
    File[] files = directory.listFiles(filter);
    return files == null ? List.of() : List.of(files);
  }

  void remove() throws IOException {
    if (mounted) {
      Proc.run("umount", "-l", directory.toString());
    }
  }
}

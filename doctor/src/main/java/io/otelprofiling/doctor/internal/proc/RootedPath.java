/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.proc;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;

/** Resolves paths of a process part by part, within the root directory of that process. */
public final class RootedPath {
  private static final int MAX_LINKS = 40;

  /**
   * Returns a path without links for the doctor. The last part may not exist, or be a link.
   *
   * @throws IOException if a directory on the way cannot be read, or the doctor's locale cannot
   *     name a part
   */
  public static Path in(TargetProcess process, String absolute) throws IOException {
    Path root = process.file("root");
    Path path = root;
    Deque<String> parts = split(absolute, new ArrayDeque<>());
    int links = 0;
    try {
      while (!parts.isEmpty()) {
        String part = parts.pop();
        Path next = path.resolve(part);
        if (part.equals("..")) {
          path = path.equals(root) ? root : Objects.requireNonNull(path.getParent());
        } else if (parts.isEmpty() || !Files.isSymbolicLink(next)) {
          path = next;
        } else if (++links > MAX_LINKS) {
          throw new FileSystemException(absolute, null, "too many symbolic links");
        } else if (path.startsWith(root.resolve("proc"))) {
          throw new FileSystemException(absolute, null, "a link in /proc differs for each reader");
        } else {
          String target = Files.readSymbolicLink(next).toString();
          path = target.startsWith("/") ? root : path;
          split(target, parts);
        }
      }
    } catch (InvalidPathException e) {
      throw new FileSystemException(absolute, null, "the doctor's locale cannot name it");
    }
    return path;
  }

  /** Puts the parts of a path before the others. */
  private static Deque<String> split(String path, Deque<String> before) {
    String[] parts = path.split("/", 0);
    for (int i = parts.length - 1; i >= 0; i--) {
      if (!parts[i].isEmpty() && !parts[i].equals(".")) {
        before.push(parts[i]);
      }
    }
    return before;
  }

  private RootedPath() {}
}

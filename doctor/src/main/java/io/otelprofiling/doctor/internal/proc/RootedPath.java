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

/** Finds paths of a process part by part, within the root directory of that process. */
public final class RootedPath {
  /** Why a path cannot be followed: what it leads to may differ for each reader. */
  public static final class LinkException extends FileSystemException {
    private static final long serialVersionUID = 1;

    LinkException(String path) {
      super(path, null, "it leads over a symbolic link");
    }
  }

  /**
   * Returns a path for the doctor. The last part may not exist, or be a link.
   *
   * @throws LinkException if an earlier part is a link, which the kernel would resolve in the
   *     doctor's root
   * @throws IOException if the doctor's locale cannot name a part
   */
  public static Path in(TargetProcess process, String absolute) throws IOException {
    try {
      Path root = process.file("root");
      Path path = root;
      for (String part : absolute.split("/", 0)) {
        if (!path.equals(root) && Files.isSymbolicLink(path)) {
          throw new LinkException(absolute);
        }
        path = path.resolve(part).normalize();
      }
      if (!path.startsWith(root)) {
        throw new FileSystemException(absolute, null, "it leads out of the root directory");
      }
      return path;
    } catch (InvalidPathException e) {
      throw new FileSystemException(absolute, null, "the doctor's locale cannot name it");
    }
  }

  private RootedPath() {}
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.proc;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;

/** A path of a process, resolved part by part within the root directory of that process. */
public final class RootedPath {
  private static final int MAX_LINKS = 40;

  /** A path without links for the doctor. The last part may not exist, or be a link. */
  public final Path path;

  /** The first symbolic link on the way, as the process names it, or "". */
  public final String link;

  private RootedPath(Path path, String link) {
    this.path = path;
    this.link = link;
  }

  /**
   * Resolves an absolute path of a process.
   *
   * @throws IOException if a directory on the way cannot be read, or the doctor's locale cannot
   *     name a part
   */
  public static RootedPath of(TargetProcess process, String absolute) throws IOException {
    String encoding = System.getProperty("sun.jnu.encoding", "UTF-8");
    if (!Charset.forName(encoding).newEncoder().canEncode(absolute)) {
      throw new IOException(
          absolute + " has letters that the doctor's locale does not have: set LC_ALL=C.UTF-8");
    }
    Path root = process.file("root");
    Deque<String> parts = split(absolute, new ArrayDeque<>());
    Deque<Path> way = new ArrayDeque<>();
    way.push(root);
    String link = "";
    int links = 0;
    try {
      while (!parts.isEmpty()) {
        String part = parts.pop();
        if (part.equals("..")) {
          if (way.size() > 1) {
            way.pop();
          }
          continue;
        }
        Path next = Objects.requireNonNull(way.peek()).resolve(part);
        if (parts.isEmpty() || !Files.isSymbolicLink(next)) {
          way.push(next);
          continue;
        }
        if (++links > MAX_LINKS) {
          throw new FileSystemException(absolute, null, "too many symbolic links");
        }
        link = link.isEmpty() ? "/" + root.relativize(next) : link;
        String target = Files.readSymbolicLink(next).toString();
        if (target.startsWith("/")) {
          way.clear();
          way.push(root);
        }
        split(target, parts);
      }
    } catch (InvalidPathException e) {
      throw new IOException("the doctor's locale cannot name " + absolute, e);
    }
    return new RootedPath(Objects.requireNonNull(way.peek()), link);
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

  /** Returns the directory of the file. */
  public Path directory() {
    return Objects.requireNonNull(path.getParent());
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.transport;

import io.flamespan.correlation.internal.posix.ConfiguredDirectory;
import io.flamespan.correlation.internal.posix.PrivateDirectory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.Paths;

/** Chooses the path of this process's socket. */
final class SocketPath {
  /**
   * A profiler reaches the socket as "/proc/PID/root" followed by the path, in the 107 bytes of a
   * sockaddr_un. A socket with a longer path can be bound, but receives nothing.
   */
  static final int MAX_BYTES = 89;

  /**
   * Returns the path in this directory.
   *
   * @throws IOException if the directory is unusable or the path is too long; the message names the
   *     setting
   */
  static Path choose(ConfiguredDirectory directory) throws IOException {
    String name = SocketName.own().toString();
    try {
      Path path = directory.open().resolve(name);
      if (!isTooLong(path)) {
        return path;
      }
      if (!directory.isSet()) {
        return PrivateDirectory.in(Paths.get("/tmp")).resolve(name);
      }
      throw new IOException(
          path + " is longer than the " + MAX_BYTES + " bytes that profilers can send to");
    } catch (IOException | RuntimeException e) {
      throw new IOException(
          "no place for the profiler socket: "
              + e
              + ". Set "
              + directory.setting()
              + (directory.isSet() ? " (now " + directory.path() + ")" : "")
              + " to a short, writable directory",
          e);
    }
  }

  private static boolean isTooLong(Path path) {
    return path.toString().getBytes(StandardCharsets.UTF_8).length > MAX_BYTES;
  }

  private SocketPath() {}
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.transport;

import io.otelprofiling.correlation.internal.posix.PrivateDirectory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.Paths;
import org.jspecify.annotations.Nullable;

/** Chooses the path of this process's socket. */
final class SocketPath {
  /**
   * A profiler reaches the socket as "/proc/PID/root" and the path, in the 107 bytes of a
   * sockaddr_un. A socket with a longer path can be bound, but nothing arrives.
   */
  static final int MAX_BYTES = 89;

  /**
   * Returns the path in the configured directory, or in the default one.
   *
   * @param setting the name of the setting for the directory, for messages
   * @throws IOException if the directory is unusable or the path too long; the message names the
   *     setting
   */
  static Path choose(@Nullable String configuredDir, String setting) throws IOException {
    String name = SocketName.own().toString();
    try {
      if (configuredDir == null) {
        Path path = PrivateDirectory.inTemporaryDirectory().resolve(name);
        return isTooLong(path) ? PrivateDirectory.in(Paths.get("/tmp")).resolve(name) : path;
      }
      Path path = PrivateDirectory.atOrIn(Paths.get(configuredDir)).resolve(name);
      if (isTooLong(path)) {
        throw new IOException(
            path + " is longer than the " + MAX_BYTES + " bytes that profilers can send to");
      }
      return path;
    } catch (IOException | RuntimeException e) {
      throw new IOException(
          "no place for the profiler socket: "
              + e
              + ". Set "
              + setting
              + (configuredDir == null ? "" : " (now " + configuredDir + ")")
              + " to a short, writable directory",
          e);
    }
  }

  private static boolean isTooLong(Path path) {
    return path.toString().getBytes(StandardCharsets.UTF_8).length > MAX_BYTES;
  }

  private SocketPath() {}
}

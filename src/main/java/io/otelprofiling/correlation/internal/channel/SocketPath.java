/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.channel;

import io.otelprofiling.correlation.internal.config.CorrelationConfig;
import io.otelprofiling.correlation.internal.files.PrivateDirectory;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.security.SecureRandom;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Where the socket of this process lies. */
final class SocketPath {
  /**
   * A profiler reaches the socket as "/proc/PID/root" and the path, in the 107 bytes of a
   * sockaddr_un; with a longer path it can be bound, but nothing arrives.
   */
  static final int MAX_BYTES = 89;

  /** File names of this and of other processes' sockets. */
  static final Pattern NAME = Pattern.compile("profiler-\\d+-[0-9a-f]{8}\\.sock");

  // The same for all SDKs of this process: a profiler reads the path only once.
  private static final String OWN_NAME =
      String.format(
          Locale.ROOT, "profiler-%s-%08x.sock", processId(), new SecureRandom().nextInt());

  /**
   * The path in the configured directory, or in the default one.
   *
   * @throws IOException if the directory is unusable or the path too long; the message names the
   *     property
   */
  static Path choose(@Nullable String configuredDir) throws IOException {
    try {
      if (configuredDir == null) {
        Path path = PrivateDirectory.inTemporaryDirectory().resolve(OWN_NAME);
        return isTooLong(path) ? PrivateDirectory.in(Paths.get("/tmp")).resolve(OWN_NAME) : path;
      }
      Path path = PrivateDirectory.atOrIn(Paths.get(configuredDir)).resolve(OWN_NAME);
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
              + CorrelationConfig.SOCKET_DIR
              + (configuredDir == null ? "" : " (now " + configuredDir + ")")
              + " to a short, writable directory",
          e);
    }
  }

  private static boolean isTooLong(Path path) {
    return path.toString().getBytes(StandardCharsets.UTF_8).length > MAX_BYTES;
  }

  private static String processId() {
    // "12345@host", on every JVM that this library runs on; Java 8 has no ProcessHandle.
    return ManagementFactory.getRuntimeMXBean().getName().replaceFirst("\\D.*", "");
  }

  private SocketPath() {}
}

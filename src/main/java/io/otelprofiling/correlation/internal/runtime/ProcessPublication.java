/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.runtime;

import io.opentelemetry.sdk.resources.Resource;
import io.otelprofiling.correlation.internal.config.CorrelationConfig;
import io.otelprofiling.correlation.internal.nativelib.NativeLibrary;
import io.otelprofiling.correlation.internal.posix.PrivateDirectory;
import io.otelprofiling.correlation.internal.transport.ProfilerSocket;
import java.io.IOException;
import java.nio.file.Path;

/** What profilers find in this process: the library, and the socket that it names. */
final class ProcessPublication {
  final ProfilerSocket socket;
  final Path library;

  private ProcessPublication(ProfilerSocket socket, Path library) {
    this.socket = socket;
    this.library = library;
  }

  /**
   * Binds the socket and loads the library.
   *
   * @throws IOException if that is impossible here; the message contains the remedy
   */
  static ProcessPublication create(CorrelationConfig config, Resource resource) throws IOException {
    try {
      return createOnce(config, resource);
    } catch (IOException e) {
      boolean needsTemporaryDirectory =
          !config.socketDirectory().isSet() || !config.nativeDirectory().isSet();
      if (!needsTemporaryDirectory || PrivateDirectory.isTemporaryDirectoryUsable()) {
        throw e;
      }
      // The message names only the first failure; the next start would fail with another one.
      throw new IOException(
          e.getMessage()
              + ". Nothing can be written to "
              + System.getProperty("java.io.tmpdir")
              + ": set java.io.tmpdir to a writable directory, or both "
              + config.socketDirectory().setting()
              + " and "
              + config.nativeDirectory().setting(),
          e);
    }
  }

  private static ProcessPublication createOnce(CorrelationConfig config, Resource resource)
      throws IOException {
    ProfilerSocket.prepare(config.nativeDirectory());
    // If two class loaders start at once, the second must find the first one's socket already
    // bound.
    synchronized (NativeLibrary.processLock()) {
      // A profiler looks only once, when it sees the library, so the socket must exist by then.
      ProfilerSocket socket = ProfilerSocket.bind(config.socketDirectory());
      try {
        byte[] processStorage = ServiceStorage.encode(resource, socket.path());
        return new ProcessPublication(
            socket, NativeLibrary.publish(processStorage, config.nativeDirectory()));
      } catch (Throwable e) {
        socket.close();
        throw e;
      }
    }
  }
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.transport;

import io.otelprofiling.correlation.internal.nativelib.SocketLibrary;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;

/** An open datagram socket that is bound to a file. */
interface OpenSocket extends Closeable {
  int fileDescriptor() throws IOException;

  /** Opens a socket and binds it to a file that does not exist yet. */
  static OpenSocket open(Path path) throws IOException {
    return SocketLibrary.isLoaded() ? new NativeSocket(path) : new JnrSocket(path);
  }

  /**
   * Returns whether the kernel refuses to connect to this socket file because no process has it
   * open.
   */
  static boolean isRefused(Path path) throws IOException {
    return SocketLibrary.isLoaded() ? SocketLibrary.isRefused(path) : JnrSocket.isRefused(path);
  }
}

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

  /** Binds to a file that is not there yet. */
  static OpenSocket open(Path path) throws IOException {
    return SocketLibrary.isLoaded() ? new NativeSocket(path) : new JnrSocket(path);
  }

  /** Whether the kernel refuses to connect to this socket file, because nobody has it open. */
  static boolean isRefused(Path path) throws IOException {
    return SocketLibrary.isLoaded() ? SocketLibrary.isRefused(path) : JnrSocket.isRefused(path);
  }
}

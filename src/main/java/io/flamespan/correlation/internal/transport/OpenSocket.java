/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.transport;

import io.flamespan.correlation.internal.nativelib.Receiver;
import io.flamespan.correlation.internal.nativelib.SocketLibrary;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;

/** An open datagram socket that is bound to a file. */
interface OpenSocket extends Closeable {
  /** Starts a thread that receives. It must be closed before the socket. */
  Receiver startReceiving() throws IOException;

  /**
   * Returns whether the kernel refuses to connect to this socket file because no process has it
   * open.
   */
  static boolean isRefused(Path path) throws IOException {
    return SocketLibrary.isLoaded() ? SocketLibrary.isRefused(path) : JnrSocket.isRefused(path);
  }
}

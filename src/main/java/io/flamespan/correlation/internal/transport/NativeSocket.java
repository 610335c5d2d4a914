/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.transport;

import io.flamespan.correlation.internal.nativelib.NativeReceiver;
import io.flamespan.correlation.internal.nativelib.Receiver;
import io.flamespan.correlation.internal.nativelib.SocketLibrary;
import java.io.IOException;
import java.nio.file.Path;

/** A socket that is opened through the plug-in's library for sockets. */
final class NativeSocket implements OpenSocket {
  final int socket;
  private boolean closed;

  NativeSocket(Path path) throws IOException {
    socket = SocketLibrary.openBound(path);
  }

  @Override
  public Receiver startReceiving() throws IOException {
    return new NativeReceiver(socket);
  }

  @Override
  public synchronized void close() {
    // Closed only once: the number may later belong to one of the application's files.
    if (!closed) {
      closed = true;
      SocketLibrary.close(socket);
    }
  }
}

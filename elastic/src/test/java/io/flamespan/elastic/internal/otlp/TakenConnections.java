/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.otlp;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** A port whose connections are handled one after the other on a thread, and then closed. */
final class TakenConnections implements AutoCloseable {
  /** Handles a connection. */
  interface Handler {
    void handle(Socket connection) throws IOException;
  }

  private final ServerSocket listening;
  private final String host;
  private final Handler handler;

  TakenConnections(String host, Handler handler) {
    this.host = host;
    this.handler = handler;
    try {
      listening = new ServerSocket(0, 50, InetAddress.getByName(host));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread thread = new Thread(this::take, "taken-connections");
    thread.setDaemon(true);
    thread.start();
  }

  /** Returns the host and the port, as in a URL. */
  String authority() {
    return host + ":" + listening.getLocalPort();
  }

  private void take() {
    while (!listening.isClosed()) {
      try (Socket connection = listening.accept()) {
        handler.handle(connection);
      } catch (IOException e) {
        // The client or the server has closed the connection.
      }
    }
  }

  @Override
  public void close() {
    try {
      listening.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

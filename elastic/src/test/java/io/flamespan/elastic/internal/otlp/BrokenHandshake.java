/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.otlp;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A server with an HTTPS URL that ends each connection after the client's first bytes. */
final class BrokenHandshake implements OtlpServer {
  enum Ending {
    CLOSE,
    RESET,
    /** Answers as a plain HTTP server does. */
    PLAIN_TEXT
  }

  private final TakenConnections connections;

  BrokenHandshake(String host, Ending ending) {
    connections = new TakenConnections(host, connection -> end(connection, ending));
  }

  private static void end(Socket connection, Ending ending) throws IOException {
    connection.getInputStream().read(new byte[16_384]);
    connection.setSoLinger(ending == Ending.RESET, 0);
    if (ending == Ending.PLAIN_TEXT) {
      connection
          .getOutputStream()
          .write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    }
  }

  @Override
  public String url() {
    return "https://" + connections.authority();
  }

  @Override
  public void close() {
    connections.close();
  }
}

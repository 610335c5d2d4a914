/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.elastic.transport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A server with a URL of HTTPS that ends each connection at the first bytes of the client. */
final class BrokenHandshake implements OtlpServer {
  enum Ending {
    CLOSE,
    RESET,
    /** As a server of plain HTTP does. */
    PLAIN_TEXT
  }

  private final ServerSocket listening;
  private final String host;
  private final Ending ending;

  BrokenHandshake(String host, Ending ending) {
    this.host = host;
    this.ending = ending;
    try {
      listening = new ServerSocket(0, 50, InetAddress.getByName(host));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread thread = new Thread(this::serve, "broken-handshake");
    thread.setDaemon(true);
    thread.start();
  }

  private void serve() {
    while (!listening.isClosed()) {
      try (Socket connection = listening.accept()) {
        connection.getInputStream().read(new byte[16_384]);
        connection.setSoLinger(ending == Ending.RESET, 0);
        if (ending == Ending.PLAIN_TEXT) {
          connection
              .getOutputStream()
              .write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        }
      } catch (IOException e) {
        // The client or the server has closed the connection.
      }
    }
  }

  @Override
  public String url() {
    return "https://" + host + ":" + listening.getLocalPort();
  }

  @Override
  public void answer(Answer... next) {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<ReceivedExport> received() {
    return List.of();
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

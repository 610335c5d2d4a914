/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.elastic;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;

/** A reserved port on which no program listens, so that every connection is refused. */
final class RefusingPort implements Server {
  private final String host;
  private final Socket socket = new Socket();

  RefusingPort(String host) throws IOException {
    this.host = host;
    socket.bind(new InetSocketAddress(host, 0));
  }

  @Override
  public String url() {
    return "http://" + host + ":" + socket.getLocalPort();
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.elastic;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** A port that counts the connections to it, and answers nothing. */
final class WatchedPort implements Server {
  private final String host;
  private final ServerSocketChannel channel = ServerSocketChannel.open();

  WatchedPort(String host) throws IOException {
    this.host = host;
    channel.bind(new InetSocketAddress(host, 0)).configureBlocking(false);
  }

  /**
   * Returns the number of connections so far. The kernel keeps connections even if the process of
   * the client has ended.
   */
  int connections() throws IOException {
    int connections = 0;
    for (SocketChannel one = channel.accept(); one != null; one = channel.accept()) {
      one.close();
      connections++;
    }
    return connections;
  }

  @Override
  public String url() {
    return "http://" + host + ":" + channel.socket().getLocalPort();
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

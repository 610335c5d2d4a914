/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import jnr.unixsocket.UnixDatagramChannel;
import jnr.unixsocket.UnixSocketAddress;

/** A profiler's side of the socket. Blocks while the receiver's queue is full. */
final class Sender implements AutoCloseable {
  private final UnixDatagramChannel channel;
  private final UnixSocketAddress target;

  Sender(Path socket) throws IOException {
    this.channel = UnixDatagramChannel.open();
    this.target = new UnixSocketAddress(socket.toFile());
  }

  void send(byte[] datagram) throws IOException {
    channel.send(ByteBuffer.wrap(datagram), target);
  }

  /** Binds a socket that no process reads. It is dead once it is closed. */
  static UnixDatagramChannel bind(Path path) throws IOException {
    UnixDatagramChannel bound = UnixDatagramChannel.open();
    bound.bind(new UnixSocketAddress(path.toFile()));
    return bound;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}

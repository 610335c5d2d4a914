/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.beside;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.stream.Stream;
import jnr.unixsocket.UnixDatagramChannel;
import jnr.unixsocket.UnixSocketAddress;

/** Sends a profiler's messages. */
final class Profiler implements AutoCloseable {
  private final UnixDatagramChannel channel = UnixDatagramChannel.open();
  private final UnixSocketAddress socket;

  /** Creates a profiler that sends to the only socket below this directory. */
  Profiler(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      Path found = files.filter(file -> file.toString().endsWith(".sock")).findAny().orElseThrow();
      socket = new UnixSocketAddress(found.toFile());
    }
  }

  void registration(int delayMillis) {
    send(message(13, 2).putInt(delayMillis).putInt(1).put((byte) 'h'));
  }

  /** Reports a sample of this local root span. */
  void correlation(String traceId, String spanId) {
    HexFormat hex = HexFormat.of();
    ByteBuffer message = message(46, 1).put(hex.parseHex(traceId)).put(hex.parseHex(spanId));
    send(
        message
            .put(new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
            .putShort((short) 1));
  }

  private static ByteBuffer message(int length, int type) {
    return ByteBuffer.allocate(length)
        .order(ByteOrder.nativeOrder())
        .putShort((short) type)
        .putShort((short) 1);
  }

  private void send(ByteBuffer message) {
    try {
      channel.send(message.flip(), socket);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}

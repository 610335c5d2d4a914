/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.channel;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import jnr.constants.platform.Errno;
import jnr.constants.platform.ProtocolFamily;
import jnr.constants.platform.Sock;
import jnr.ffi.LibraryLoader;

/**
 * System calls that jnr-unixsocket does not offer, or not as needed: it takes the length of a path
 * in characters for that in bytes, and cuts paths that are not ASCII.
 */
final class SocketCalls {
  private static final Functions FUNCTIONS = LibraryLoader.create(Functions.class).load("c");

  /** Called by jnr-ffi under exactly these names. */
  public interface Functions {
    int socket(int domain, int type, int protocol);

    int bind(int socket, ByteBuffer address, int length);

    int connect(int socket, ByteBuffer address, int length);

    int close(int socket);
  }

  static void bind(int socket, Path path) throws IOException {
    ByteBuffer address = address(path);
    if (FUNCTIONS.bind(socket, address, address.capacity()) < 0) {
      throw new IOException("bind: " + lastError());
    }
  }

  /** Whether the kernel refuses to connect to this socket file, because nobody has it open. */
  static boolean isRefused(Path path) throws IOException {
    ByteBuffer address = address(path);
    int socket = FUNCTIONS.socket(ProtocolFamily.PF_UNIX.intValue(), Sock.SOCK_DGRAM.intValue(), 0);
    if (socket < 0) {
      throw new IOException("socket: " + lastError());
    }
    try {
      return FUNCTIONS.connect(socket, address, address.capacity()) < 0
          && lastError() == Errno.ECONNREFUSED;
    } finally {
      FUNCTIONS.close(socket);
    }
  }

  private static ByteBuffer address(Path path) {
    byte[] bytes = path.toString().getBytes(StandardCharsets.UTF_8);
    ByteBuffer address = ByteBuffer.allocate(Short.BYTES + bytes.length + 1);
    address.order(ByteOrder.nativeOrder()).putShort((short) ProtocolFamily.PF_UNIX.intValue());
    address.put(bytes).rewind();
    return address;
  }

  private static Errno lastError() {
    return Errno.valueOf(jnr.ffi.Runtime.getRuntime(FUNCTIONS).getLastError());
  }

  private SocketCalls() {}
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.transport;

import io.flamespan.correlation.internal.nativelib.Receiver;
import io.flamespan.correlation.internal.posix.SystemCallException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import jnr.constants.platform.Errno;
import jnr.constants.platform.ProtocolFamily;
import jnr.constants.platform.Sock;
import jnr.ffi.LibraryLoader;
import jnr.unixsocket.UnixDatagramChannel;

/**
 * A jnr-unixsocket socket that the plug-in binds through a separate system call. jnr-unixsocket
 * measures the length of a path in characters instead of bytes, and so truncates non-ASCII paths.
 */
final class JnrSocket implements OpenSocket {
  private static final int NO_SOCKET = -1;
  private static final int OWNER_ONLY = 0600;
  private static final int MSG_PEEK = 0x02;
  private static final int MSG_DONTWAIT = 0x40;

  private static final ByteBuffer NOTHING = ByteBuffer.allocateDirect(0);

  private final UnixDatagramChannel channel;

  /** The C functions, which jnr-ffi looks up by these names. */
  public interface Functions {
    int socket(int domain, int type, int protocol);

    int fchmod(int file, int mode);

    int bind(int socket, ByteBuffer address, int length);

    int connect(int socket, ByteBuffer address, int length);

    int recv(int socket, ByteBuffer datagram, long length, int flags);

    int close(int socket);
  }

  private static final class Holder {
    static final Functions FUNCTIONS = LibraryLoader.create(Functions.class).load("c");
  }

  JnrSocket(Path path) throws IOException {
    Functions functions = Holder.FUNCTIONS;
    functions.close(open()); // jnr-unixsocket would not say why it cannot open one
    channel = UnixDatagramChannel.open();
    boolean bound = false;
    try {
      ByteBuffer address = address(path);
      // Linux creates the file with this mode, so others cannot connect at any moment.
      functions.fchmod(channel.getFD(), OWNER_ONLY);
      if (functions.bind(channel.getFD(), address, address.capacity()) < 0) {
        throw failed("bind");
      }
      bound = true;
    } finally {
      if (!bound) {
        channel.close();
      }
    }
  }

  private static int open() throws IOException {
    int socket =
        Holder.FUNCTIONS.socket(ProtocolFamily.PF_UNIX.intValue(), Sock.SOCK_DGRAM.intValue(), 0);
    if (socket < 0) {
      throw failed("socket");
    }
    return socket;
  }

  @Override
  public Receiver startReceiving() throws IOException {
    return new JnrReceiver(this, channel);
  }

  /** Returns whether a datagram waits, which the channel does not distinguish from a failure. */
  boolean hasDatagram() throws IOException {
    Functions functions = Holder.FUNCTIONS;
    while (functions.recv(channel.getFD(), NOTHING, 0, MSG_PEEK | MSG_DONTWAIT) < 0) {
      Errno error = lastError();
      if (error == Errno.EAGAIN || error == Errno.EWOULDBLOCK) {
        return false;
      }
      if (error != Errno.EINTR) {
        throw new SystemCallException("recv", error.intValue());
      }
    }
    return true;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  static boolean isRefused(Path path) throws IOException {
    Functions functions = Holder.FUNCTIONS;
    ByteBuffer address = address(path);
    int socket = open();
    try {
      return functions.connect(socket, address, address.capacity()) < 0
          && lastError() == Errno.ECONNREFUSED;
    } finally {
      functions.close(socket);
    }
  }

  private static ByteBuffer address(Path path) {
    byte[] bytes = path.toString().getBytes(StandardCharsets.UTF_8);
    ByteBuffer address = ByteBuffer.allocate(Short.BYTES + bytes.length + 1);
    address.order(ByteOrder.nativeOrder()).putShort((short) ProtocolFamily.PF_UNIX.intValue());
    address.put(bytes).rewind();
    return address;
  }

  private static SystemCallException failed(String call) {
    return new SystemCallException(call, lastError().intValue());
  }

  private static Errno lastError() {
    return Errno.valueOf(jnr.ffi.Runtime.getRuntime(Holder.FUNCTIONS).getLastError());
  }

  /**
   * Calls a function that does nothing: jnr-ffi reports only on the first call if it could not load
   * its native library.
   */
  static void checkLibrary() {
    Holder.FUNCTIONS.close(NO_SOCKET);
  }
}

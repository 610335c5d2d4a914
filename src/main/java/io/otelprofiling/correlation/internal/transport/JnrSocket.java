/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.transport;

import io.otelprofiling.correlation.internal.log.Shortened;
import io.otelprofiling.correlation.internal.nativelib.SocketLibrary;
import io.otelprofiling.correlation.internal.posix.ConfiguredDirectory;
import io.otelprofiling.correlation.internal.posix.SystemCallException;
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

  private final UnixDatagramChannel channel;

  /** The C functions, which jnr-ffi looks up by these names. */
  public interface Functions {
    int socket(int domain, int type, int protocol);

    int fchmod(int file, int mode);

    int bind(int socket, ByteBuffer address, int length);

    int connect(int socket, ByteBuffer address, int length);

    int close(int socket);
  }

  private static final class Holder {
    static final Functions FUNCTIONS = LibraryLoader.create(Functions.class).load("c");
  }

  JnrSocket(Path path) throws IOException {
    Functions functions = Holder.FUNCTIONS;
    functions.close(open()); // jnr-unixsocket would not say why it cannot open one
    channel = UnixDatagramChannel.open();
    try {
      ByteBuffer address = address(path);
      // Linux creates the file with this mode, so others cannot connect at any moment.
      functions.fchmod(channel.getFD(), OWNER_ONLY);
      if (functions.bind(channel.getFD(), address, address.capacity()) < 0) {
        throw failed("bind");
      }
    } catch (Throwable e) {
      channel.close();
      throw e;
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
  public int fileDescriptor() {
    return channel.getFD();
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
   *
   * @param libraries the directory that native libraries are extracted to
   * @throws IOException if jnr-ffi could not load it; the message names the setting to change
   */
  static void checkLibrary(ConfiguredDirectory libraries) throws IOException {
    try {
      Holder.FUNCTIONS.close(NO_SOCKET);
    } catch (LinkageError | RuntimeException e) {
      if (e instanceof NoClassDefFoundError || e.getCause() instanceof ClassNotFoundException) {
        throw e; // jnr-ffi itself is missing, so another directory would not help
      }
      throw new IOException(
          "no library for sockets can be loaded: neither the plug-in's ("
              + Shortened.of(SocketLibrary.failure())
              + ") nor that of jnr-ffi, which is extracted to "
              + System.getProperty("jffi.extract.dir", System.getProperty("java.io.tmpdir"))
              + " ("
              + Shortened.of(e.toString())
              + "). Set "
              + libraries.setting()
              + " to a directory that has room and is not mounted noexec",
          e);
    }
  }
}

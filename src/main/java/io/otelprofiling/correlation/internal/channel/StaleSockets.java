/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.channel;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.logging.Level;
import java.util.logging.Logger;
import jnr.constants.platform.Errno;
import jnr.constants.platform.ProtocolFamily;
import jnr.constants.platform.Sock;
import jnr.ffi.LibraryLoader;

/** Removes the sockets of processes that ended without doing it themselves. */
final class StaleSockets {
  private static final Logger logger = Logger.getLogger(StaleSockets.class.getName());
  private static final Functions FUNCTIONS = LibraryLoader.create(Functions.class).load("c");

  /** Called by jnr-ffi under exactly these names. */
  public interface Functions {
    int socket(int domain, int type, int protocol);

    int connect(int socket, ByteBuffer address, int length);

    int close(int socket);
  }

  static void remove(Path directory) {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        if (SocketPath.NAME.matcher(file.getFileName().toString()).matches() && isDead(file)) {
          Files.deleteIfExists(file);
        }
      }
    } catch (IOException | RuntimeException e) {
      logger.log(Level.FINE, "Stale sockets in " + directory + " were left", e);
    }
  }

  /**
   * Asks the kernel and not the process table: with a directory shared between containers, another
   * container's process has a pid that here is somebody else's, or nobody's.
   */
  static boolean isDead(Path socketFile) throws IOException {
    byte[] path = socketFile.toString().getBytes(StandardCharsets.UTF_8);
    ByteBuffer address = ByteBuffer.allocate(Short.BYTES + path.length + 1);
    address.order(ByteOrder.nativeOrder()).putShort((short) ProtocolFamily.PF_UNIX.intValue());
    address.put(path).rewind();
    int socket = FUNCTIONS.socket(ProtocolFamily.PF_UNIX.intValue(), Sock.SOCK_DGRAM.intValue(), 0);
    if (socket < 0) {
      throw new IOException("socket: errno " + lastError());
    }
    try {
      return FUNCTIONS.connect(socket, address, address.capacity()) < 0
          && lastError() == Errno.ECONNREFUSED.intValue();
    } finally {
      FUNCTIONS.close(socket);
    }
  }

  private static int lastError() {
    return jnr.ffi.Runtime.getRuntime(FUNCTIONS).getLastError();
  }

  private StaleSockets() {}
}

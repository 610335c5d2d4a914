/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.transport;

import io.flamespan.correlation.internal.log.Trouble;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.logging.Level;

/**
 * Removes sockets that processes have left behind, but only of this kernel: a kernel also refuses
 * to connect to a socket that is in use on another kernel.
 */
final class StaleSockets {
  private static final int FILE_TYPE = 0170000;
  private static final int SOCKET = 0140000;

  static void remove(Path directory, SocketName own) {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        if (own.isOfSameKernel(file.getFileName().toString())) {
          removeIfDead(file);
        }
      }
    } catch (IOException | RuntimeException e) {
      Trouble.log(
          StaleSockets.class, Level.FINE, "Stale sockets in " + directory + " were not removed", e);
    }
  }

  private static void removeIfDead(Path file) {
    try {
      if (isDead(file)) {
        Files.deleteIfExists(file);
      }
    } catch (IOException | RuntimeException e) {
      Trouble.log(
          StaleSockets.class, Level.FINE, "The stale socket " + file + " was not removed", e);
    }
  }

  /**
   * Returns whether no process has the socket open. This asks the kernel rather than the process
   * table: in a directory shared by containers, the pid in a name may belong to an unrelated
   * process here, or to none.
   */
  static boolean isDead(Path file) throws IOException {
    return isSocket(file) && OpenSocket.isRefused(file);
  }

  /** Returns whether a process of this kernel has bound the file. */
  static boolean isAlive(Path file) throws IOException {
    return Files.exists(file, LinkOption.NOFOLLOW_LINKS)
        && isSocket(file)
        && !OpenSocket.isRefused(file);
  }

  private static boolean isSocket(Path file) throws IOException {
    int mode = (Integer) Files.getAttribute(file, "unix:mode", LinkOption.NOFOLLOW_LINKS);
    return (mode & FILE_TYPE) == SOCKET;
  }

  private StaleSockets() {}
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.nativelib;

import io.flamespan.correlation.internal.log.Trouble;
import io.flamespan.correlation.internal.posix.ConfiguredDirectory;
import io.flamespan.correlation.internal.posix.Errno;
import io.flamespan.correlation.internal.posix.SystemCallException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.logging.Level;
import org.jspecify.annotations.Nullable;

/**
 * Opens datagram sockets through a small library of the plug-in, if that could be loaded: {@code
 * native/src/socket_bridge.c}. Loading jnr and its generated classes takes most of a start, and
 * they keep the class loader of a web application alive forever. The JVM loads a file for one class
 * loader at a time, so each later deployment loads a copy, which is unlinked immediately and
 * unmapped together with its class loader.
 */
public final class SocketLibrary {
  private static volatile boolean loaded;
  private static volatile @Nullable String deniedReason;
  private static volatile String failure = "";

  /**
   * Loads the library. Never throws, because jnr may replace it.
   *
   * @param directory the directory that native libraries are extracted to
   */
  public static synchronized void load(ConfiguredDirectory directory) {
    if (loaded) {
      return;
    }
    try {
      loadFileOrCopy(directory);
      loaded = true;
    } catch (IOException | RuntimeException | LinkageError e) {
      deniedReason = NativeAccess.deniedReason(e);
      failure = e.toString();
      Trouble.log(SocketLibrary.class, Level.FINE, "The library for sockets was not loaded", e);
    }
  }

  private static void loadFileOrCopy(ConfiguredDirectory directory) throws IOException {
    try {
      System.load(NativeLibraryFile.extract(NativeLibraryFile.SOCKETS, directory).toString());
    } catch (UnsatisfiedLinkError e) {
      Path copy = NativeLibraryFile.copySockets(directory);
      try {
        System.load(copy.toString());
      } catch (UnsatisfiedLinkError again) {
        e.addSuppressed(again);
        throw e;
      } finally {
        Files.deleteIfExists(copy);
      }
    }
  }

  /**
   * Returns why this JVM denies loading any library, even jnr's, and a remedy; or null if it does
   * not.
   */
  public static @Nullable String deniedReason() {
    return deniedReason;
  }

  public static boolean isLoaded() {
    return loaded;
  }

  /** Returns why the library could not be loaded. */
  public static String failure() {
    return failure;
  }

  /**
   * Returns the file descriptor of a datagram socket that is bound to this path.
   *
   * @throws SystemCallException if the kernel refuses that
   */
  public static int openBound(Path path) throws IOException {
    int socket = openBound0(bytes(path));
    if (socket < 0) {
      throw new SystemCallException("bind", -socket);
    }
    return socket;
  }

  /**
   * Returns whether the kernel refuses to connect to this socket file because no process has it
   * open.
   *
   * @throws IOException if this process cannot open a socket to find out
   */
  public static boolean isRefused(Path path) throws IOException {
    int error = connect0(bytes(path));
    if (error == Errno.EMFILE
        || error == Errno.ENFILE
        || error == Errno.ENOMEM
        || error == Errno.ENOBUFS) {
      throw new SystemCallException("socket", error);
    }
    return error == Errno.ECONNREFUSED;
  }

  /**
   * Sends a datagram of at most 512 bytes. The library must be loaded.
   *
   * @param directory a path of any length, such as one in {@code /proc/PID/root}
   * @param name the name of a socket in that directory
   * @param patienceMillis how long to wait until the receiver has read it, or 0
   * @return 0, or the errno of the failure, which is EAGAIN if the receiver's queue is full,
   *     ECONNREFUSED if no process has the socket open, ENOTSOCK if the file is not a socket, or
   *     ETIMEDOUT if the datagram is still in the receiver's queue; with Linux's numbers
   */
  public static int send(Path directory, String name, byte[] datagram, int patienceMillis) {
    return send0(bytes(directory), name.getBytes(StandardCharsets.UTF_8), datagram, patienceMillis);
  }

  public static void close(int socket) {
    close0(socket);
  }

  /**
   * Binds the methods of {@link NativeBridge} to the library that another class loader has loaded,
   * and publishes the process storage. The library for sockets must be loaded.
   *
   * @return false if another class loader has published its process storage
   * @throws IOException if no such library is found
   */
  static boolean attach(byte[] processStorage) throws IOException {
    int attached = attach0(NativeBridge.class, processStorage);
    if (attached < 0) {
      throw new IOException("the function that attaches is not found");
    }
    return attached > 0;
  }

  private static byte[] bytes(Path path) {
    return path.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** Returns a datagram socket that is bound to this path, or a negative errno. */
  private static native int openBound0(byte[] path);

  /** Returns 0 if a process has this socket open, or an errno. */
  private static native int connect0(byte[] path);

  private static native int send0(
      byte[] directory, byte[] name, byte[] datagram, int patienceMillis);

  private static native void close0(int socket);

  /**
   * Calls the library that another class loader has loaded. Returns the result of {@link
   * NativeBridge#attach0} as 0 or 1, or -1 if no such library is found.
   */
  private static native int attach0(Class<?> bridge, byte[] processStorage);

  private SocketLibrary() {}
}

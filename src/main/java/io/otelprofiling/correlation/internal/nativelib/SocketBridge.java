/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.nativelib;

/** The native methods implemented by {@code native/src/socket_bridge.c}. */
final class SocketBridge {
  /** Returns a datagram socket that is bound to this path, or a negative errno. */
  static native int openBound0(byte[] path);

  /** Returns 0 if a process has this socket open, or an errno. */
  static native int connect0(byte[] path);

  /**
   * Sends a datagram to the socket with this name in this directory. If the patience is positive,
   * waits until the datagram is read. Returns 0 or an errno.
   */
  static native int send0(byte[] directory, byte[] name, byte[] datagram, int patienceMillis);

  static native void close0(int socket);

  /**
   * Calls the library that another class loader has loaded. Returns the result of {@link
   * NativeBridge#attach0} as 0 or 1, or -1 if no such library is found.
   */
  static native int attach0(Class<?> bridge, byte[] processStorage);

  private SocketBridge() {}
}

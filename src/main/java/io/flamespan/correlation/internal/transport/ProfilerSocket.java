/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.transport;

import io.flamespan.correlation.internal.log.Reason;
import io.flamespan.correlation.internal.nativelib.NativeLibrary;
import io.flamespan.correlation.internal.nativelib.Receiver;
import io.flamespan.correlation.internal.posix.ConfiguredDirectory;
import io.flamespan.correlation.internal.posix.PrivateDirectory;
import io.flamespan.correlation.internal.posix.SystemCallException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The bound datagram socket that profilers send to. Any thread may call {@link #wake}, one thread
 * {@link #await}, and one thread at a time the other methods. Only {@link #bind}, {@link
 * #rebindIfLost} and {@link #deleteFile} touch files. The files thread calls these, and holds no
 * lock meanwhile that the other methods take.
 *
 * <p>Source: Universal profiling integration, "APM agent socket".
 */
public final class ProfilerSocket implements Closeable {
  private final Path path;
  private final Sockets sockets;
  private final Object receiverLock = new Object();
  // Null until it is first used, because the socket is bound before the native library is loaded.
  private @Nullable Receiver receiver;
  private OpenSocket socket;
  private volatile @Nullable OpenSocket rebound; // until the thread that receives uses it
  private @Nullable Object fileKey;
  private volatile long queueLength;
  private volatile long boundSinceMillis;
  private volatile String trouble = "";
  private boolean closed;
  private volatile boolean released; // the kernel no longer has the socket

  private ProfilerSocket(Path path, Sockets sockets) throws IOException {
    this.path = path;
    this.sockets = sockets;
    this.queueLength = QueueLength.ofNewSockets();
    this.socket = open(); // if something failed afterwards, nobody would close it
    this.boundSinceMillis = System.currentTimeMillis(); // not before the file was created
  }

  /**
   * Binds a socket in this directory, and removes sockets that dead processes have left there.
   *
   * @param sockets as returned by {@link Sockets#prepare}
   * @throws IOException if another class loader of this process has bound the socket, or if binding
   *     fails; the message names the setting to change
   */
  public static ProfilerSocket bind(ConfiguredDirectory configured, Sockets sockets)
      throws IOException {
    Path path = SocketPath.choose(configured);
    Path directory = path.getParent();
    if (directory != null) {
      StaleSockets.remove(directory, SocketName.own());
    }
    if (StaleSockets.isAlive(path)) {
      throw new IOException(
          "another class loader of this process has it and serves the OpenTelemetry SDK that"
              + " was configured there, with the socket "
              + path);
    }
    try {
      return new ProfilerSocket(path, sockets);
    } catch (IOException | RuntimeException e) {
      String remedy = e instanceof SystemCallException ? ((SystemCallException) e).remedy() : "";
      throw new IOException(
          "cannot bind the profiler socket "
              + path
              + " ("
              + Reason.of(e)
              + "). "
              + (remedy.isEmpty()
                  ? "Set " + configured.setting() + " to another directory"
                  : remedy),
          e);
    }
  }

  private OpenSocket open() throws IOException {
    Files.deleteIfExists(path);
    OpenSocket opened = sockets.open(path);
    boolean usable = false;
    try {
      // For kernels on which the socket itself does not have a mode.
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
      fileKey = fileKey(path);
      usable = true;
      return opened;
    } finally {
      if (!usable) { // another start would find the path in use
        abandon(opened);
      }
    }
  }

  private void abandon(OpenSocket opened) throws IOException {
    try {
      Files.deleteIfExists(path); // first, because afterwards the path may belong to another socket
    } finally {
      opened.close();
    }
  }

  /**
   * Returns how many datagrams the kernel queues for this socket, or -1 if that is unknown. The
   * kernel decides this when the socket is opened.
   */
  public long queueLength() {
    return queueLength;
  }

  /** Returns since when the path leads to this socket, in milliseconds since the epoch, or 0. */
  public long boundSinceMillis() {
    return released ? 0 : boundSinceMillis;
  }

  /** Returns why binding or receiving failed last, or an empty string. */
  public String trouble() {
    return trouble;
  }

  private void failed(Exception reason) {
    trouble = reason.toString();
  }

  /** Returns the real path, which is at most 89 bytes long. */
  public Path path() {
    return path;
  }

  /**
   * Clears the buffer, receives one datagram into it, and flips it.
   *
   * @return false if no datagrams wait
   */
  boolean receive(ByteBuffer buffer) throws IOException {
    try {
      return receiver().receive(buffer);
    } catch (IOException e) {
      failed(e);
      throw e;
    }
  }

  /** Announces that the caller will receive again within this time. */
  void promise(long withinNanos) throws IOException {
    receiver().promise(withinNanos);
  }

  /** Sleeps until a datagram waits, {@link #wake} is called, or the time has elapsed. */
  void await(long nanos) throws IOException {
    receiver().await(Math.max(nanos, 0));
  }

  /** Ends {@link #await}. Does nothing while nobody receives, or after {@link #close}. */
  void wake() {
    synchronized (receiverLock) {
      if (receiver != null) {
        receiver.wake();
      }
    }
  }

  /** Starts to move messages out of the kernel's short queue. */
  void startReceiving() throws IOException {
    receiver();
  }

  private Receiver receiver() throws IOException {
    synchronized (receiverLock) {
      if (closed) {
        throw new IOException("the socket is closed");
      }
      if (receiver == null) {
        receiver = socket.startReceiving();
      }
      return receiver;
    }
  }

  /**
   * Binds again, at the same path, if the file was deleted, replaced, or hidden by a mount. The
   * thread that receives then has to call {@link #useRebound}.
   *
   * @return whether that was necessary
   * @throws IOException if another socket, which is in use, has taken its place; it may belong to
   *     another class loader of this process
   */
  boolean rebindIfLost() throws IOException {
    try {
      if (!isInPlace()) {
        return rebind();
      }
      if (boundSinceMillis == 0) {
        boundSinceMillis = System.currentTimeMillis();
      }
      return false;
    } catch (IOException | RuntimeException e) {
      failed(e);
      boundSinceMillis = 0;
      throw e;
    }
  }

  private boolean rebind() throws IOException {
    Path directory = path.getParent();
    if (directory == null || !PrivateDirectory.atOrIn(directory).equals(directory)) {
      throw new IOException(directory + " is not a private directory any more");
    }
    if (StaleSockets.isAlive(path)) {
      throw new IOException(
          "another socket, which is in use, has taken its place and gets the messages of profilers."
              + " Find its owner with ss -xlp and end it; within a minute, this one returns");
    }
    long length = QueueLength.ofNewSockets();
    OpenSocket bound = open();
    if (!offer(bound)) {
      abandon(bound);
      return false;
    }
    queueLength = length;
    boundSinceMillis = System.currentTimeMillis();
    return true;
  }

  private boolean offer(OpenSocket bound) throws IOException {
    OpenSocket unused;
    synchronized (receiverLock) {
      if (closed) {
        return false;
      }
      unused = rebound;
      rebound = bound;
    }
    if (unused != null) {
      unused.close();
    }
    return true;
  }

  /**
   * Receives from the socket that was bound last. Must not be called during {@link #await}.
   *
   * @return whether that is another one than before
   */
  boolean useRebound() throws IOException {
    if (rebound == null) {
      return false;
    }
    OpenSocket lost;
    synchronized (receiverLock) {
      OpenSocket bound = rebound;
      if (bound == null) {
        return false;
      }
      lost = socket;
      socket = bound;
      rebound = null;
      try {
        closeReceiver();
      } finally {
        lost.close();
      }
    }
    return true;
  }

  private boolean isInPlace() throws IOException {
    try {
      return Objects.equals(fileKey, fileKey(path));
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  /** Returns what distinguishes the file from others with the same name: its device and inode. */
  private static @Nullable Object fileKey(Path path) throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
        .fileKey();
  }

  private void closeReceiver() {
    Receiver closing = receiver;
    receiver = null;
    if (closing != null) {
      closing.close();
    }
  }

  /** Closes the socket. Does not touch its file. */
  @Override
  public void close() throws IOException {
    synchronized (receiverLock) {
      if (closed) {
        return;
      }
      closed = true;
    }
    // Each step runs even if another one fails, because another SDK of this process may bind the
    // path.
    try {
      synchronized (receiverLock) {
        closeReceiver();
      }
    } finally {
      try {
        OpenSocket bound = rebound;
        if (bound != null) {
          bound.close();
        }
      } finally {
        socket.close();
      }
    }
    released = true;
  }

  /** Deletes the socket's file, unless another class loader of this process uses the path now. */
  public void deleteFile() throws IOException {
    synchronized (NativeLibrary.processLock()) {
      // Once the socket is closed, the file of another one may have the same inode.
      if (isInPlace() && !(released && StaleSockets.isAlive(path))) {
        Files.deleteIfExists(path);
      }
    }
  }
}

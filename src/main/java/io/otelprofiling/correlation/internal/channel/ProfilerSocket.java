/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.channel;

import io.otelprofiling.correlation.internal.config.CorrelationConfig;
import io.otelprofiling.correlation.internal.files.PrivateDirectory;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import jnr.constants.platform.Errno;
import jnr.enxio.channels.Native;
import jnr.enxio.channels.NativeSelectorProvider;
import jnr.unixsocket.UnixDatagramChannel;
import org.jspecify.annotations.Nullable;

/**
 * The bound datagram socket that profilers send to. {@link #wake} may be called by any thread, all
 * other methods by one at a time.
 *
 * <p>Source: Universal profiling integration, "APM agent socket".
 */
public final class ProfilerSocket implements Closeable {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final Path path;
  private final Selector selector;
  private final Object wakeLock = new Object();
  private UnixDatagramChannel channel;
  private boolean closed;

  private ProfilerSocket(Path path, Selector selector, UnixDatagramChannel channel) {
    this.path = path;
    this.selector = selector;
    this.channel = channel;
  }

  /**
   * Binds in the given directory, or in the default one, and removes what dead processes left
   * there.
   *
   * @throws IOException with a message that names the property to change
   */
  public static ProfilerSocket bind(@Nullable String configuredDir) throws IOException {
    Path path = SocketPath.choose(configuredDir);
    Path directory = path.getParent();
    if (directory != null) {
      StaleSockets.remove(directory);
    }
    Selector selector = NativeSelectorProvider.getInstance().openSelector();
    try {
      // Normal exit of a JVM whose SDK was never shut down. Runs after all shutdown hooks.
      path.toFile().deleteOnExit();
      return new ProfilerSocket(path, selector, open(path, selector));
    } catch (IOException | RuntimeException e) {
      selector.close();
      throw new IOException(
          "cannot bind the profiler socket "
              + path
              + " ("
              + e
              + "). Set "
              + CorrelationConfig.SOCKET_DIR
              + " to another directory",
          e);
    }
  }

  private static UnixDatagramChannel open(Path path, Selector selector) throws IOException {
    Files.deleteIfExists(path);
    UnixDatagramChannel channel = UnixDatagramChannel.open();
    try {
      SocketCalls.bind(channel.getFD(), path);
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
      channel.configureBlocking(false);
      channel.register(selector, SelectionKey.OP_READ);
      return channel;
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /** The real path, at most 89 bytes. */
  public Path path() {
    return path;
  }

  /**
   * Receives one datagram into the cleared buffer and flips it.
   *
   * @return false if none is waiting
   */
  boolean receive(ByteBuffer buffer) throws IOException {
    buffer.clear();
    // Not channel.receive: it allocates, and throws an exception where no datagram waits.
    int length = Native.read(channel.getFD(), buffer);
    if (length < 0) {
      Errno error = Native.getLastError();
      if (error == Errno.EAGAIN || error == Errno.EWOULDBLOCK) {
        return false;
      }
      throw new IOException("cannot read from the profiler socket " + path + ": " + error);
    }
    buffer.flip();
    return true;
  }

  /** Sleeps until a datagram waits, {@link #wake} is called or the time is over. */
  void await(long nanos) throws IOException {
    selector.selectedKeys().clear();
    if (nanos <= 0) {
      return;
    }
    // Rounded up: to wake early is to wake twice.
    long millis = (nanos + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI;
    selector.select(Math.min(millis, Integer.MAX_VALUE));
  }

  /** Like {@link #await(long)}, without limit. */
  void awaitForever() throws IOException {
    selector.selectedKeys().clear();
    selector.select();
  }

  void wake() {
    // The selector writes to a file descriptor, which after close may be the application's.
    synchronized (wakeLock) {
      if (!closed) {
        selector.wakeup();
      }
    }
  }

  /**
   * Binds again, at the same path, if somebody deleted the file.
   *
   * @return whether it was deleted
   */
  boolean rebindIfDeleted() throws IOException {
    if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    Path directory = path.getParent();
    if (directory == null || !PrivateDirectory.atOrIn(directory).equals(directory)) {
      throw new IOException(directory + " is not a private directory any more");
    }
    UnixDatagramChannel deleted = channel;
    channel = open(path, selector);
    deleted.close();
    return true;
  }

  /** Closes the socket and deletes its file. */
  @Override
  public void close() throws IOException {
    synchronized (wakeLock) {
      closed = true;
    }
    try {
      Files.deleteIfExists(path);
    } finally {
      try {
        channel.close();
      } finally {
        selector.close();
      }
    }
  }
}

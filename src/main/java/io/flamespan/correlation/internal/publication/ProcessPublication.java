/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.publication;

import io.flamespan.correlation.internal.config.CorrelationConfig;
import io.flamespan.correlation.internal.config.Settings;
import io.flamespan.correlation.internal.log.Reason;
import io.flamespan.correlation.internal.log.Trouble;
import io.flamespan.correlation.internal.nativelib.NativeLibrary;
import io.flamespan.correlation.internal.posix.PrivateDirectory;
import io.flamespan.correlation.internal.status.Origin;
import io.flamespan.correlation.internal.threads.FilesThread;
import io.flamespan.correlation.internal.transport.ProfilerSocket;
import io.flamespan.correlation.internal.transport.Sockets;
import io.opentelemetry.sdk.resources.Resource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.logging.Level;

/**
 * What profilers find in this process: the library, and the socket that it names. The files thread
 * creates it and takes it back.
 */
public final class ProcessPublication {
  /** The bound socket, to which profilers send. */
  public final ProfilerSocket socket;

  /** The library that profilers recognize, as it was mapped. */
  public final Path library;

  /** Whether threads have thread contexts as well. */
  public final OtelThreadContextSetup threadContexts;

  private ProcessPublication(
      ProfilerSocket socket, Path library, OtelThreadContextSetup threadContexts) {
    this.socket = socket;
    this.library = library;
    this.threadContexts = threadContexts;
  }

  /** Withdraws what {@link #create} has published after its caller gave up. */
  public void undo() {
    NativeLibrary.withdraw();
    discard(socket);
  }

  private static void discard(ProfilerSocket socket) {
    try {
      socket.close();
      socket.deleteFile();
    } catch (IOException e) {
      Trouble.log(
          ProcessPublication.class,
          Level.FINE,
          "The profiler socket " + socket.path() + " was not deleted",
          e);
    }
  }

  /**
   * Binds the socket and loads the libraries.
   *
   * @param files the calling thread, which is told what it does
   * @throws IOException if that is impossible here; the message contains the remedy
   */
  public static ProcessPublication create(
      CorrelationConfig config, Resource resource, FilesThread files) throws IOException {
    try {
      return createOnce(config, resource, files);
    } catch (IOException e) {
      boolean needsTemporaryDirectory =
          !config.get(Settings.SOCKET_DIR).isSet() || !config.get(Settings.NATIVE_DIR).isSet();
      if (!needsTemporaryDirectory || PrivateDirectory.isTemporaryDirectoryUsable()) {
        throw e;
      }
      // The message names only the first failure; the next start would fail with another one.
      throw new IOException(
          Reason.of(e)
              + ". Nothing can be written to "
              + System.getProperty("java.io.tmpdir")
              + ": set java.io.tmpdir to a writable directory, or both "
              + config.get(Settings.SOCKET_DIR).setting()
              + " and "
              + config.get(Settings.NATIVE_DIR).setting(),
          e);
    }
  }

  private static ProcessPublication createOnce(
      CorrelationConfig config, Resource resource, FilesThread files) throws IOException {
    files.enter("looking for the plug-in where the Java agent loads extensions from");
    Origin.findJar();
    files.enter("loading a library from " + config.get(Settings.NATIVE_DIR).path());
    Sockets sockets =
        Sockets.prepare(
            config.get(Settings.NATIVE_DIR),
            config.get(Settings.SOCKET_LIBRARY).equals(Settings.JNR)
                ? Settings.SOCKET_LIBRARY.toString()
                : "");
    files.enter("waiting for another class loader, which starts the plug-in,");
    // If two class loaders start at once, the second must find the first one's socket already
    // bound.
    synchronized (NativeLibrary.processLock()) {
      // A profiler looks only once, when it sees the library, so the socket must exist by then.
      files.enter("binding a socket in " + config.get(Settings.SOCKET_DIR).path());
      ProfilerSocket socket = ProfilerSocket.bind(config.get(Settings.SOCKET_DIR), sockets);
      boolean published = false;
      try {
        files.enter("loading a library from " + config.get(Settings.NATIVE_DIR).path());
        byte[] processStorage = ServiceStorage.encode(resource, socket.path());
        Path library = NativeLibrary.publish(processStorage, config.get(Settings.NATIVE_DIR));
        ProcessPublication result =
            new ProcessPublication(socket, library, OtelThreadContextSetup.load(config));
        published = true;
        return result;
      } finally {
        if (!published) {
          discard(socket);
        }
      }
    }
  }
}

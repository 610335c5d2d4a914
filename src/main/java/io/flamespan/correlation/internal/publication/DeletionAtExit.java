/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.publication;

import io.flamespan.correlation.internal.threads.DaemonThread;
import io.flamespan.correlation.internal.threads.FilesThread;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;

/**
 * Deletes the socket's file at the JVM's exit, if its file system answers. {@link
 * java.io.File#deleteOnExit} alone would hold up the exit for as long as it does not. It has the
 * right moment, though: after all shutdown hooks, one of which may still need the socket. So a hook
 * has the files thread change the file first, and leaves it to the JVM only if that works.
 * Thread-safe.
 */
public final class DeletionAtExit {
  private static final long MAX_WAIT_MILLIS = 1_000;

  private final FilesThread files;
  private volatile @Nullable Path socket;
  private @Nullable Thread hook;

  /** Does nothing until {@link #begin}. */
  public DeletionAtExit(FilesThread files) {
    this.files = files;
  }

  /** Deletes this socket's file at the exit. */
  public synchronized void begin(Path socketFile) {
    socket = socketFile;
    if (hook == null) {
      Thread added = DaemonThread.create(this::run, "flamespan-exit");
      try {
        Runtime.getRuntime().addShutdownHook(added);
        hook = added;
      } catch (IllegalStateException e) {
        // The JVM is already exiting. The next start of a plug-in deletes the file.
      }
    }
  }

  /**
   * The plug-in has stopped, and its socket's file is deleted. The hook would keep its class loader
   * alive, which may belong to a web application.
   */
  public synchronized void end() {
    socket = null;
    if (hook != null) {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException e) {
        // The JVM is exiting, and the hook runs.
      }
      hook = null;
    }
  }

  private void run() {
    files.execute("preparing the deletion of " + socket, () -> deleteAtExit(socket));
    files.await(MAX_WAIT_MILLIS);
  }

  private static void deleteAtExit(@Nullable Path file) {
    if (file != null) {
      try {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        file.toFile().deleteOnExit();
      } catch (IOException | IllegalStateException e) {
        // It was deleted, cannot be, or comes too late.
      }
    }
  }
}

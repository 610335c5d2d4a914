/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.runtime;

import io.otelprofiling.correlation.internal.threads.DaemonThread;
import io.otelprofiling.correlation.internal.threads.FilesThread;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Deletes files at the JVM's exit, if their file systems answer. {@link java.io.File#deleteOnExit}
 * alone would hold up the exit for as long as one of them does not. It has the right moment,
 * though: after all shutdown hooks, one of which may still need the socket. So a hook has the files
 * thread change each file first, and only files that this works for are left to the JVM.
 * Thread-safe.
 */
final class DeletionAtExit {
  private static final long MAX_WAIT_MILLIS = 1_000;

  // A hook keeps its class loader alive, which may be that of a web application.
  private static final boolean STAYS_LOADED =
      DeletionAtExit.class.getClassLoader() == ClassLoader.getSystemClassLoader();

  private final FilesThread files;
  private final Supplier<@Nullable Path> status;
  private volatile @Nullable Path socket;
  private @Nullable Thread hook;

  /**
   * Prepares the deletion.
   *
   * @param status returns the status file, if there is one, on the files thread
   */
  DeletionAtExit(FilesThread files, Supplier<@Nullable Path> status) {
    this.files = files;
    this.status = status;
  }

  /** Deletes the status file at the exit, unless {@link #begin} has to do that. */
  void statusWritten() {
    if (STAYS_LOADED) {
      add();
    }
  }

  /** Deletes this socket's file and the status file at the exit. */
  void begin(Path socketFile) {
    socket = socketFile;
    add();
  }

  private synchronized void add() {
    if (hook == null) {
      Thread added = DaemonThread.create(this::run, "otel-profiling-exit");
      try {
        Runtime.getRuntime().addShutdownHook(added);
        hook = added;
      } catch (IllegalStateException e) {
        // The JVM is already exiting. The next start of a plug-in deletes the files.
      }
    }
  }

  /** The plug-in has stopped, and its socket's file is deleted. */
  synchronized void end() {
    socket = null;
    if (hook != null && !STAYS_LOADED) {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException e) {
        // The JVM is exiting, and the hook runs.
      }
      hook = null;
    }
  }

  private void run() {
    files.execute(
        "preparing the deletion of " + socket,
        () -> {
          deleteAtExit(socket);
          deleteAtExit(status.get());
        });
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

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.status;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.otelprofiling.correlation.internal.posix.PrivateDirectory;
import io.otelprofiling.correlation.internal.threads.FilesThread;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The file {@code status-PID-LOADER} in the private directory for temporary files, which contains
 * the plug-in's status as lines of {@code key=value}. Readers always find a complete file. If it
 * cannot be written, the only effect is one log line at level FINE. Thread-safe; the files thread
 * does the work.
 */
public final class StatusFile {
  private static final Logger logger = Logger.getLogger(StatusFile.class.getName());

  private static final Set<OpenOption> NEW =
      new HashSet<>(Arrays.asList(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));

  private final String loader;
  private final FilesThread files;
  private @Nullable Path file; // used by the files thread only, as is the next field
  private boolean failed;

  /**
   * Prepares the file of a class loader.
   *
   * @param loader the digits of {@link Origin#digits}
   */
  public StatusFile(String loader, FilesThread files) {
    this.loader = loader;
    this.files = files;
  }

  /**
   * Replaces the content by these entries, later. The first time also removes the files of dead
   * processes. Never throws.
   *
   * @param entries called by the files thread
   */
  public void write(Supplier<Map<String, Object>> entries) {
    try {
      files.execute(
          "writing the status to " + System.getProperty("java.io.tmpdir"),
          () -> writeNow(entries.get()));
    } catch (Throwable e) {
      fail(e);
    }
  }

  /** Like {@link #write}, if the file was deleted or never written. Called by the files thread. */
  public void restore(Supplier<Map<String, Object>> entries) {
    if (file == null || !Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      writeNow(entries.get());
    }
  }

  /** Returns the file, or null if it was never written. Called by the files thread. */
  public @Nullable Path path() {
    return file;
  }

  private void writeNow(Map<String, ?> entries) {
    try {
      // Checked each time, because the directory may have been removed.
      writeIn(PrivateDirectory.inTemporaryDirectory(), entries);
    } catch (Throwable e) {
      fail(e);
    }
  }

  void writeIn(Path directory, Map<String, ?> entries) throws IOException {
    Path target = file;
    if (target == null) {
      target = directory.resolve(StaleStatusFiles.PREFIX + Origin.pid() + "-" + loader);
      StaleStatusFiles.remove(directory);
      file = target;
    }
    Path temporary = directory.resolve(target.getFileName() + StaleStatusFiles.TEMPORARY);
    Files.deleteIfExists(temporary);
    try {
      writeNew(temporary, encode(entries));
      Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  private static void writeNew(Path path, byte[] content) throws IOException {
    try (SeekableByteChannel channel =
        Files.newByteChannel(
            path,
            NEW,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
      ByteBuffer rest = ByteBuffer.wrap(content);
      while (rest.hasRemaining()) {
        channel.write(rest);
      }
    }
  }

  private static byte[] encode(Map<String, ?> entries) {
    StringBuilder text = new StringBuilder();
    // No lambdas: linking one takes long in a JVM that has just started.
    for (Map.Entry<String, ?> entry : entries.entrySet()) {
      text.append(entry.getKey()).append('=').append(inOneLine(entry.getValue())).append('\n');
    }
    return text.toString().getBytes(UTF_8);
  }

  /** Returns the value with blanks in place of all characters that may end a line. */
  static String inOneLine(Object value) {
    String text = value.toString();
    StringBuilder line = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      line.append(c < ' ' || c == '\u0085' || c == '\u2028' || c == '\u2029' ? ' ' : c);
    }
    return line.toString();
  }

  private void fail(Throwable e) {
    if (failed) {
      return;
    }
    failed = true;
    try {
      logger.log(Level.FINE, "The status of profiling correlation was not written to its file", e);
    } catch (Throwable ofLogHandlers) {
      // Logging itself has failed.
    }
  }
}

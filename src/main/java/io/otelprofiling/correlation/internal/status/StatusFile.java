/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.status;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.otelprofiling.correlation.internal.posix.PrivateDirectory;
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
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The file {@code status-PID-LOADER} in the private directory for temporary files, which contains
 * the plug-in's status as lines of {@code key=value}. Readers always find a complete file. If it
 * cannot be written, the only effect is one log line at level FINE. Thread-safe.
 */
public final class StatusFile {
  private static final Logger logger = Logger.getLogger(StatusFile.class.getName());

  private static final Set<OpenOption> NEW =
      new HashSet<>(Arrays.asList(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));

  private final String loader;
  private @Nullable Path file;
  private boolean failed;

  /**
   * Prepares the file of a class loader.
   *
   * @param loader the digits of {@link Origin#digits}
   */
  public StatusFile(String loader) {
    this.loader = loader;
  }

  /**
   * Replaces the content. The first call also removes the files of dead processes. Never throws.
   */
  public synchronized void write(Map<String, ?> entries) {
    try {
      // Checked each time, because the directory may have been removed.
      writeIn(PrivateDirectory.inTemporaryDirectory(), entries);
    } catch (Throwable e) {
      fail(e);
    }
  }

  /** Returns whether the file was never written or is no longer where it was written. */
  public synchronized boolean isMissing() {
    return file == null || !Files.exists(file, LinkOption.NOFOLLOW_LINKS);
  }

  void writeIn(Path directory, Map<String, ?> entries) throws IOException {
    Path target = file;
    if (target == null) {
      target = directory.resolve(StaleStatusFiles.PREFIX + Origin.pid() + "-" + loader);
      StaleStatusFiles.remove(directory);
      target.toFile().deleteOnExit();
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

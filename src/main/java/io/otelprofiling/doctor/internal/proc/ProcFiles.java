/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.proc;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** Reads files whose size and content may change while they are read. */
public final class ProcFiles {
  private static final int MAX_SIZE = 16 << 20;

  /**
   * Returns about the first 16 MiB of a file. The buffer is large, because files in {@code
   * /proc/sys} must be read in one call, which {@link Files#readAllBytes} does not do.
   */
  public static byte[] read(Path file, OpenOption... options) throws IOException {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    byte[] buffer = new byte[1 << 16];
    try (InputStream in = Files.newInputStream(file, options)) {
      for (int n = in.read(buffer); n >= 0 && content.size() < MAX_SIZE; n = in.read(buffer)) {
        content.write(buffer, 0, n);
      }
    }
    return content.toByteArray();
  }

  public static String text(Path file) throws IOException {
    return new String(read(file), StandardCharsets.UTF_8);
  }

  /** Returns the first line, or null if the file cannot be read. */
  public static @Nullable String line(Path file) {
    try {
      return text(file).split("\n", 2)[0].trim();
    } catch (IOException | RuntimeException e) {
      return null;
    }
  }

  /**
   * Returns the text of a file that another user may have created, or null if it cannot be read or
   * is not a regular file, such as a link, a pipe or a device.
   */
  public static @Nullable String untrusted(Path file) {
    try {
      return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
          ? new String(
              read(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS),
              StandardCharsets.UTF_8)
          : null;
    } catch (IOException | RuntimeException e) {
      return null;
    }
  }

  /** Returns an attribute of the {@code unix} view as a number, or -1 if it cannot be read. */
  public static int unix(Path file, String attribute) {
    try {
      return (Integer) Files.getAttribute(file, "unix:" + attribute, LinkOption.NOFOLLOW_LINKS);
    } catch (IOException | RuntimeException e) {
      return -1;
    }
  }

  /** Returns whether the doctor does not have the right to find out if this file exists. */
  public static boolean isHidden(Path file) {
    try {
      Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      return false;
    } catch (AccessDeniedException e) {
      return true;
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }

  /** Returns whether the doctor does not have the right to read this file or directory. */
  public static boolean isClosed(Path file) {
    return isHidden(file) || (Files.exists(file) && !Files.isReadable(file));
  }

  private ProcFiles() {}
}

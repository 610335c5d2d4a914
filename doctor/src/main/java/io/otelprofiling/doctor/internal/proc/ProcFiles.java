/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.proc;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads files whose size and content may change while they are read, up to a limit. */
public final class ProcFiles {
  private static final int MAX_SIZE = 16 << 20;

  /** The type of a file in its mode, and that of a socket. */
  private static final int TYPE = 0170000;

  private static final int SOCKET = 0140000;

  /**
   * Returns about the first 16 MiB of a file. The buffer is large, because files in {@code
   * /proc/sys} must be read in one call, which {@link Files#readAllBytes} does not do.
   */
  public static byte[] read(Path file) throws IOException {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    byte[] buffer = new byte[1 << 16];
    try (InputStream in = Files.newInputStream(file)) {
      for (int n = in.read(buffer); n >= 0 && content.size() < MAX_SIZE; n = in.read(buffer)) {
        content.write(buffer, 0, n);
      }
    }
    return content.toByteArray();
  }

  public static String text(Path file) throws IOException {
    return new String(read(file), StandardCharsets.UTF_8);
  }

  public static List<String> lines(Path file, Charset charset) throws IOException {
    return Arrays.asList(new String(read(file), charset).split("\n", 0));
  }

  /** Returns the strings of a file that ends each with a NUL; none if it cannot be read. */
  static List<String> strings(Path file) {
    try {
      byte[] content = read(file);
      return content.length == 0
          ? Collections.emptyList()
          : Arrays.asList(new String(content, StandardCharsets.UTF_8).split("\0", 0));
    } catch (IOException e) {
      return Collections.emptyList();
    }
  }

  /** Returns the first line, or null if the file cannot be read. */
  public static @Nullable String line(Path file) {
    try {
      return text(file).split("\n", 2)[0].trim();
    } catch (IOException | RuntimeException e) {
      return null;
    }
  }

  /** Returns a value of a file in the format of {@code /proc/PID/status}, or "". */
  static String value(Path file, String key) {
    try {
      for (String line : lines(file, StandardCharsets.UTF_8)) {
        if (line.startsWith(key + ":")) {
          return line.substring(key.length() + 1).trim();
        }
      }
    } catch (IOException e) {
      return "";
    }
    return "";
  }

  /** Returns the attributes mode, uid, gid and lastModifiedTime of a file, which may be a link. */
  public static Map<String, Object> attributes(Path file) throws IOException {
    return Files.readAttributes(
        file, "unix:mode,uid,gid,lastModifiedTime", LinkOption.NOFOLLOW_LINKS);
  }

  public static boolean isSocket(int mode) {
    return (mode & TYPE) == SOCKET;
  }

  private ProcFiles() {}
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.nativelib;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The C library of this process, which determines the placement of thread-local storage. */
final class CLibrary {
  /** Matches the mapped file of musl: on Alpine the loader, on Debian the target of its link. */
  private static final Pattern MUSL =
      Pattern.compile("/(?:ld-musl-|libc\\.musl-)[^/]*$|-linux-musl/libc\\.so$");

  /** Returns whether it is musl rather than glibc, based on a file like {@code /proc/self/maps}. */
  static boolean isMusl(Path maps) {
    try (Stream<String> mappings = Files.lines(maps, StandardCharsets.ISO_8859_1)) {
      return mappings.anyMatch(line -> MUSL.matcher(line).find());
    } catch (IOException | UncheckedIOException e) {
      return false;
    }
  }

  /**
   * Returns why profilers cannot compute the address of this library's thread-local storage, and a
   * remedy.
   */
  static String noStaticStorage(Path library) {
    return noStaticStorage(library, isMusl(Paths.get("/proc/self/maps")));
  }

  static String noStaticStorage(Path library, boolean musl) {
    if (musl) {
      return "the C library of this JVM is musl, which has no static thread-local storage for "
          + library
          + ". Use a JVM for glibc, as in images based on Debian";
    }
    return "no static thread-local storage was left for "
        + library
        + ". Start the JVM with the environment variable"
        + " GLIBC_TUNABLES=glibc.rtld.optional_static_tls=2048";
  }

  private CLibrary() {}
}

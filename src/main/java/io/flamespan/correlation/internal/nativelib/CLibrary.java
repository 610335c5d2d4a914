/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.nativelib;

import io.flamespan.correlation.internal.posix.ProcessMaps;
import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** The C library of this process, which determines the placement of thread-local storage. */
final class CLibrary {
  /** Matches the mapped file of musl: on Alpine the loader, on Debian the target of its link. */
  private static final Pattern MUSL =
      Pattern.compile(
          "/(?:ld-musl-|libc\\.musl-)[^/\n]*$|-linux-musl/libc\\.so$", Pattern.MULTILINE);

  /** Returns whether it is musl rather than glibc, if a process has these mappings. */
  static boolean isMusl(String maps) {
    return MUSL.matcher(maps).find();
  }

  /**
   * Returns why profilers cannot compute the address of this library's thread-local storage, and a
   * remedy.
   */
  static String noStaticStorage(Path library) {
    try {
      return noStaticStorage(library, isMusl(ProcessMaps.read()));
    } catch (IOException e) {
      return noStaticStorage(library, false);
    }
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

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.files;

import java.io.IOException;
import jnr.ffi.LibraryLoader;

/**
 * The one fact about this process that Java does not tell. The first use of jnr-ffi in the plug-in,
 * so the place where it turns out whether jnr-ffi works here.
 */
final class LibC {
  /** Called by jnr-ffi under exactly these names. */
  public interface Functions {
    int geteuid();
  }

  static int effectiveUserId() throws IOException {
    try {
      return Holder.FUNCTIONS.geteuid();
    } catch (LinkageError | RuntimeException e) {
      if (e.getCause() instanceof ClassNotFoundException) {
        throw e; // Not there at all: no directory would help.
      }
      throw new IOException(
          "jnr-ffi does not work, with its native library extracted to "
              + System.getProperty("jffi.extract.dir", System.getProperty("java.io.tmpdir"))
              + " ("
              + e
              + ")",
          e);
    }
  }

  private static final class Holder {
    static final Functions FUNCTIONS = LibraryLoader.create(Functions.class).load("c");
  }

  private LibC() {}
}

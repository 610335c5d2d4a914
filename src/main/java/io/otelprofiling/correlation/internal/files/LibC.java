/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.files;

import jnr.ffi.LibraryLoader;

/** The one fact about this process that Java does not tell. */
final class LibC {
  private static final Functions FUNCTIONS = LibraryLoader.create(Functions.class).load("c");

  /** Called by jnr-ffi under exactly these names. */
  public interface Functions {
    int geteuid();
  }

  static int effectiveUserId() {
    return FUNCTIONS.geteuid();
  }

  private LibC() {}
}

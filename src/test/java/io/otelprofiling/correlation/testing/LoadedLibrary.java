/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.testing;

import io.otelprofiling.correlation.internal.nativelib.NativeLibrary;
import io.otelprofiling.correlation.internal.protocol.ProcessStorage;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Loads the native library, for tests of parts that need it without the whole plug-in. */
public final class LoadedLibrary {
  private LoadedLibrary() {}

  public static void loadWithThreadContext() {
    load();
    try {
      NativeLibrary.loadThreadContext(Directories.ofLibraries(null));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    ShownThreadContext.findLibrary();
  }

  public static void load() {
    try {
      NativeLibrary.publish(
          ProcessStorage.encode("test", "", "/nowhere"), Directories.ofLibraries(null));
      NativeLibrary.withdraw();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

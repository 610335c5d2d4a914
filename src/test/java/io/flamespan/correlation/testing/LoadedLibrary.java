/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.testing;

import io.flamespan.correlation.internal.nativelib.NativeLibrary;
import io.flamespan.correlation.internal.nativelib.SocketLibrary;
import io.flamespan.correlation.internal.protocol.ProcessStorage;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Loads the native libraries, for tests of parts that need them without the whole plug-in. */
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
    SocketLibrary.load(Directories.ofLibraries(null));
    if (!SocketLibrary.isLoaded()) {
      throw new IllegalStateException(SocketLibrary.failure());
    }
    try {
      NativeLibrary.publish(
          ProcessStorage.encode("test", "", "/nowhere"), Directories.ofLibraries(null));
      NativeLibrary.withdraw();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

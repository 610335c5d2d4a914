/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.testing;

import io.flamespan.correlation.internal.config.Settings;
import io.flamespan.correlation.internal.posix.ConfiguredDirectory;
import org.jspecify.annotations.Nullable;

/** Directories as configured by settings; null if the setting is not set. */
public final class Directories {
  public static ConfiguredDirectory ofSockets(@Nullable String path) {
    return new ConfiguredDirectory(path, Settings.SOCKET_DIR.toString());
  }

  public static ConfiguredDirectory ofLibraries(@Nullable String path) {
    return new ConfiguredDirectory(path, Settings.NATIVE_DIR.toString());
  }

  /** Returns such a directory for the plug-in of another class loader. */
  public static Object ofLibrariesIn(ClassLoader loader, @Nullable String path)
      throws ReflectiveOperationException {
    return loader
        .loadClass(ConfiguredDirectory.class.getName())
        .getConstructor(String.class, String.class)
        .newInstance(path, Settings.NATIVE_DIR.toString());
  }

  private Directories() {}
}

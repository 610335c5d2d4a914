/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.testing;

import io.otelprofiling.correlation.internal.config.CorrelationConfig;
import io.otelprofiling.correlation.internal.posix.ConfiguredDirectory;
import org.jspecify.annotations.Nullable;

/** Directories as the settings name them; null for a setting that is not set. */
public final class Directories {
  public static ConfiguredDirectory ofSockets(@Nullable String path) {
    return new ConfiguredDirectory(path, CorrelationConfig.SOCKET_DIR);
  }

  public static ConfiguredDirectory ofLibraries(@Nullable String path) {
    return new ConfiguredDirectory(path, CorrelationConfig.NATIVE_DIR);
  }

  /** Returns such a directory for another class loader's plug-in. */
  public static Object ofLibrariesIn(ClassLoader loader, @Nullable String path)
      throws ReflectiveOperationException {
    return loader
        .loadClass(ConfiguredDirectory.class.getName())
        .getConstructor(String.class, String.class)
        .newInstance(path, CorrelationConfig.NATIVE_DIR);
  }

  private Directories() {}
}

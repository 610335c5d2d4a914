/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.runtime;

import io.flamespan.correlation.internal.config.Settings;
import io.flamespan.correlation.internal.context.ContextStorageWrapper;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The wrapper of OpenTelemetry's context storage, which exists once per class loader. It must be
 * registered before anybody knows whether the plug-in is wanted, so it loads {@link ProcessState}
 * only to wrap the storage. Thread-safe.
 */
public final class SharedContextStorage {
  private static final ContextStorageWrapper WRAPPER =
      new ContextStorageWrapper(() -> ProcessState.MIRROR);

  private static volatile boolean serves;

  static {
    WRAPPER.register();
  }

  /** Registers the wrapper by loading this class. Further calls have no effect. */
  public static void register() {
    // The static initializer has registered it.
  }

  /**
   * Decides whether the context storage is wrapped; see {@link ContextStorageWrapper}. While the
   * plug-in serves an SDK, another SDK without the plug-in cannot turn this off.
   */
  public static void setWanted(boolean wanted) {
    if (wanted || !serves) {
      WRAPPER.setWanted(wanted);
    }
  }

  /**
   * The plug-in serves an SDK from now on, whatever another one wanted before.
   *
   * @param trusted see {@link ContextStorageWrapper#trust}
   */
  static void begin(List<String> trusted) {
    serves = true;
    WRAPPER.setWanted(true);
    WRAPPER.trust(trusted, Settings.CONTEXT_STORAGE_TRUSTED.toString());
  }

  /** The plug-in serves no SDK any more. */
  static void end() {
    serves = false;
  }

  /** Returns why profilers do not see the active spans, or null if they do. */
  static @Nullable String problem() {
    return WRAPPER.problem();
  }

  /** Returns the class of OpenTelemetry's context storage, or null if it may not exist yet. */
  static @Nullable Class<?> inUse() {
    return WRAPPER.inUse();
  }

  private SharedContextStorage() {}
}

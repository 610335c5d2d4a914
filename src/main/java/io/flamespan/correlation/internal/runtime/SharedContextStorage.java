/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.runtime;

import io.flamespan.correlation.internal.context.ContextStorageWrapper;

/**
 * The wrapper of OpenTelemetry's context storage, which exists once per class loader. It must be
 * registered before anybody knows whether the plug-in is wanted, so it loads {@link ProcessState}
 * only to wrap the storage. Thread-safe.
 */
public final class SharedContextStorage {
  static final ContextStorageWrapper WRAPPER = new ContextStorageWrapper(() -> ProcessState.MIRROR);

  static {
    WRAPPER.register();
  }

  /** Registers the wrapper by loading this class. Further calls have no effect. */
  public static void register() {
    // The static initializer has registered it.
  }

  /** See {@link ContextStorageWrapper#setWanted}. */
  public static void setWanted(boolean wanted) {
    WRAPPER.setWanted(wanted);
  }

  private SharedContextStorage() {}
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.log;

import org.jspecify.annotations.Nullable;

/** What may fail. Whoever must not throw creates it beforehand, because that needs memory. */
public interface Step {
  /** Runs once. */
  void run() throws Exception;

  /** Runs, and returns what that throws, or null. */
  default @Nullable Throwable failure() {
    try {
      run();
      return null;
    } catch (Throwable e) {
      return e;
    }
  }
}

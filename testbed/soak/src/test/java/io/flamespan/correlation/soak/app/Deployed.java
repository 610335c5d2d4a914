/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.soak.app;

import java.util.Map;

/** A traced application in a separate class loader, with its SDK and the plug-in. */
public interface Deployed {
  /** Serves one request on the calling thread. The rounds set the amount of computation. */
  void request(int rounds);

  void flush();

  /**
   * Shuts the SDK down while requests may still run.
   *
   * @return the plug-in's counters for this SDK
   */
  Map<String, Long> close();
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.soak.app;

import java.util.Map;

/** A traced application in a class loader of its own, with its SDK and the plug-in. */
public interface Deployed {
  /** Serves one request on the calling thread; the rounds say how much there is to compute. */
  void request(int rounds);

  void flush();

  /**
   * Shuts the SDK down while requests may still run.
   *
   * @return what the plug-in has counted for this SDK
   */
  Map<String, Long> close();
}

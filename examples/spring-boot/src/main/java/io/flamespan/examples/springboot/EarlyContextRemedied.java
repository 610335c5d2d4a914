/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.examples.springboot;

import io.flamespan.correlation.ProfilingCorrelation;

/** The same application as {@link EarlyContext}, with the fix that the warning recommends. */
public final class EarlyContextRemedied {
  private EarlyContextRemedied() {}

  /** Registers before anything else. */
  public static void main(String[] args) {
    ProfilingCorrelation.registerContextStorage();
    EarlyContext.main(args);
  }
}

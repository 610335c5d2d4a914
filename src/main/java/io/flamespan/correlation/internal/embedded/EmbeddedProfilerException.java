/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.embedded;

/** The embedded profiler cannot run here. The message says why and what to do. */
public final class EmbeddedProfilerException extends Exception {
  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception with the second half of a sentence: "the embedded profiler is off: …".
   */
  public EmbeddedProfilerException(String reason) {
    super(reason);
  }
}

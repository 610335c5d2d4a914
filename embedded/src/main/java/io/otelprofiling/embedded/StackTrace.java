/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.embedded;

import java.util.List;

/** A stack, as it was sampled. Immutable. */
public final class StackTrace {
  /** The first half of the id, big endian. Stacks of the same methods have the same id. */
  public final long idHigh;

  public final long idLow;

  /** The frames from the innermost one on. */
  public final List<Frame> frames;

  StackTrace(long idHigh, long idLow, List<Frame> frames) {
    this.idHigh = idHigh;
    this.idLow = idLow;
    this.frames = frames;
  }
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.embedded;

import java.util.List;

/** A stack, as it was sampled. Immutable. */
public final class StackTrace {
  private static final String VIRTUAL_THREAD = "java.lang.VirtualThread";

  /** The first half of the id, big endian. Stacks of the same methods have the same id. */
  public final long idHigh;

  public final long idLow;

  /** The frames from the innermost one on. */
  public final List<Frame> frames;

  /** Whether a virtual thread was mounted on the sampled thread. */
  final boolean isOfVirtualThread;

  StackTrace(long idHigh, long idLow, List<Frame> frames) {
    this.idHigh = idHigh;
    this.idLow = idLow;
    this.frames = frames;
    this.isOfVirtualThread = frames.stream().anyMatch(StackTrace::runsVirtualThread);
  }

  private static boolean runsVirtualThread(Frame frame) {
    // Of the virtual thread itself, or below it of its carrier.
    return frame.className.equals(VIRTUAL_THREAD)
        && (frame.methodName.equals("run") || frame.methodName.equals("runContinuation"));
  }
}

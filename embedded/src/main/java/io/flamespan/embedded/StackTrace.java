/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

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

  /**
   * Whether the outermost frame is not where threads begin: the walk has ended in the handler of a
   * signal, or where async-profiler found no further frame.
   */
  final boolean isBroken;

  StackTrace(long idHigh, long idLow, List<Frame> frames) {
    this.idHigh = idHigh;
    this.idLow = idLow;
    this.frames = frames;
    this.isBroken = !frames.isEmpty() && isBreak(frames.get(frames.size() - 1).methodName);
    this.isOfVirtualThread = frames.stream().anyMatch(StackTrace::runsVirtualThread);
  }

  private static boolean isBreak(String outermost) {
    return outermost.equals("__restore_rt") // of C libraries on x86-64
        || outermost.equals("__kernel_rt_sigreturn") // of the kernel on arm64
        || outermost.startsWith("break_"); // of async-profiler
  }

  /** Returns in words the last method of a broken stack. */
  String end() {
    if (frames.size() < 2) {
      return "nothing";
    }
    Frame last = frames.get(frames.size() - 2);
    return last.className.isEmpty() ? last.methodName : last.className + '.' + last.methodName;
  }

  private static boolean runsVirtualThread(Frame frame) {
    // Of the virtual thread itself, or below it of its carrier.
    return frame.className.equals(VIRTUAL_THREAD)
        && (frame.methodName.equals("run") || frame.methodName.equals("runContinuation"));
  }
}

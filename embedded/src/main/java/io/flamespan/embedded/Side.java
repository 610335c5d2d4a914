/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import java.util.List;

/**
 * Whose stack a carrier has that goes from one virtual thread to the next one. The JVM reports an
 * unmount before it copies the frames away, and a mount after it has copied them back.
 */
enum Side {
  /** Of the carrier itself. */
  CARRIER,
  /** Of the virtual thread that is about to leave. */
  FROM,
  /** Of the virtual thread that has just come. */
  TO,
  /** Of one of both. */
  UNKNOWN;

  private static final String VIRTUAL_THREAD = "java.lang.VirtualThread";
  private static final String CONTINUATION = "jdk.internal.vm.Continuation";
  private static final String WORKER = "java.util.concurrent.ForkJoinWorkerThread";

  /** Returns whose stack has these frames, the innermost one first. */
  static Side of(List<Frame> frames) {
    Side direction = UNKNOWN;
    for (Frame frame : frames) {
      Side told = direction == UNKNOWN ? direction(frame) : UNKNOWN;
      if (told != UNKNOWN) {
        direction = told;
      } else if ((frame.className.equals(WORKER) && !frame.isClass())
          || isOf(frame, VIRTUAL_THREAD, "mount")
          || isOf(frame, VIRTUAL_THREAD, "unmount")
          || isOf(frame, VIRTUAL_THREAD, "runContinuation")) {
        return CARRIER;
      } else if (isOf(frame, VIRTUAL_THREAD, "yieldContinuation")
          || isOf(frame, VIRTUAL_THREAD, "run")) {
        return direction;
      }
    }
    return direction;
  }

  /** Compilers replace the calls of the JVM by stubs, whose names have no class. */
  private static Side direction(Frame frame) {
    String method = frame.methodName;
    if (isOf(frame, CONTINUATION, "doYield")
        || isOf(frame, VIRTUAL_THREAD, "notifyJvmtiUnmount")
        || isOf(frame, VIRTUAL_THREAD, "notifyJvmtiEnd")
        || method.endsWith("notify_jvmti_vthread_unmount")
        || method.endsWith("notify_jvmti_vthread_end")
        || method.equals("Continuation::try_preempt")) {
      return FROM;
    }
    return isOf(frame, VIRTUAL_THREAD, "notifyJvmtiMount")
            || isOf(frame, VIRTUAL_THREAD, "notifyJvmtiStart")
            || method.endsWith("notify_jvmti_vthread_mount")
            || method.endsWith("notify_jvmti_vthread_start")
            || method.equals("cont_thaw")
            || method.equals("ThawBase::handle_preempted_continuation")
        ? TO
        : UNKNOWN;
  }

  private static boolean isOf(Frame frame, String className, String methodName) {
    return frame.methodName.equals(methodName) && frame.className.equals(className);
  }
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.nativelib;

import java.nio.ByteBuffer;

/**
 * The native memory in which virtual threads show their traces, and which carriers show to
 * profilers. The {@link NativeLibrary} must be loaded.
 */
public final class VirtualThreadMemory {
  /**
   * From now on, shows on each carrier the record of the virtual thread that runs on it. Every
   * mount and unmount of a virtual thread then takes longer.
   *
   * @throws UnsupportedOperationException if this JVM does not report mounts
   */
  public static void follow() {
    int error = NativeBridge.followVirtualThreads0();
    if (error != 0) {
      throw new UnsupportedOperationException(
          error < 0
              ? "this JVM has no JVMTI events for mounting them"
              : "this JVM does not report when they are mounted, JVMTI error " + error);
    }
  }

  /**
   * Returns the address of the calling virtual thread's record, which shows no trace yet. From now
   * on, the carrier of the thread shows this record and the first of the two thread contexts after
   * it, which are invalid. Only this thread may use them: they are freed with the thread. Every
   * call on a thread returns the same address, so the first one decides about attributes.
   *
   * @throws IllegalStateException if there is no memory for them
   */
  public static long show(boolean withAttributes) {
    long record = NativeBridge.virtualThreadRecords0(Thread.currentThread(), withAttributes);
    if (record == 0) {
      throw new IllegalStateException("no memory for the record of a virtual thread");
    }
    return record;
  }

  /** Returns the 37 bytes of a record returned by {@link #show}. */
  public static ByteBuffer recordAt(long record) {
    return NativeBridge.recordAt0(record);
  }

  /**
   * Makes profilers see the first or second of the calling virtual thread's thread contexts,
   * wherever the thread is mounted, and the ids of that context in its record. The thread cannot
   * change its carrier meanwhile.
   *
   * @param record the address that {@link #show} has returned to this thread
   * @param localRootSpanId the local root that the record shows; if 0, it shows no trace
   */
  public static void turn(long record, boolean toSecond, long localRootSpanId) {
    NativeBridge.turnVirtualThreadContext0(record, toSecond, localRootSpanId);
  }

  private VirtualThreadMemory() {}
}

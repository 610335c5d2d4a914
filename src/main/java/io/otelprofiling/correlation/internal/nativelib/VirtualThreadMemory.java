/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.nativelib;

import java.nio.ByteBuffer;

/**
 * The native memory in which virtual threads show their traces, and which their carriers show to
 * profilers. The {@link NativeLibrary} must be loaded.
 */
public final class VirtualThreadMemory {
  /**
   * Shows on each carrier, from now on, the record of the virtual thread that runs on it. Each
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
   * Returns the address of the calling virtual thread's record, which shows no trace yet, and which
   * its carrier shows from now on, together with the first of two thread contexts behind it, which
   * are invalid. Only this thread may use them: they end with the thread. Each call of a thread
   * returns the same, so the first one decides about attributes.
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

  /** Returns the 37 bytes of a record that {@link #show} has returned. */
  public static ByteBuffer recordAt(long record) {
    return NativeBridge.recordAt0(record);
  }

  /**
   * Makes profilers see another of the calling virtual thread's two thread contexts, wherever the
   * thread is mounted, and in its record the ids of that context. The thread cannot change its
   * carrier meanwhile.
   *
   * @param record what {@link #show} has returned to this very thread
   * @param localRootSpanId what the record shows as local root; if it is 0, it shows no trace
   */
  public static void turn(long record, boolean toSecond, long localRootSpanId) {
    NativeBridge.turnVirtualThreadContext0(record, toSecond, localRootSpanId);
  }

  private VirtualThreadMemory() {}
}

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
   * Returns the calling virtual thread's record, which shows no trace yet, and which its carrier
   * shows from now on, together with the first of two thread contexts, which are invalid. Only this
   * thread may use it: the memory ends with the thread. The first call of a thread decides about
   * attributes of the context.
   *
   * @throws IllegalStateException if there is no memory for it
   */
  public static ByteBuffer show(boolean withAttributes) {
    ByteBuffer record = NativeBridge.virtualThreadRecord0(Thread.currentThread(), withAttributes);
    if (record == null) {
      throw new IllegalStateException("no memory for the record of a virtual thread");
    }
    return record;
  }

  /**
   * Returns the record that {@link #show} has returned to the calling virtual thread, and behind it
   * two thread contexts: 37 bytes, and twice 32, or 288 with attributes. Both are invalid before
   * they are written, and profilers can see the first one. Only this thread may use them.
   *
   * @throws IllegalStateException if it has returned none
   */
  public static ByteBuffer withContexts() {
    ByteBuffer records = NativeBridge.virtualThreadRecords0(Thread.currentThread());
    if (records == null) {
      throw new IllegalStateException("this virtual thread has no record");
    }
    return records;
  }

  /**
   * Makes profilers see another of the calling virtual thread's two thread contexts, wherever the
   * thread is mounted, and in its record the ids of that context. The thread cannot change its
   * carrier meanwhile.
   *
   * @param recordsAddress where the result of {@link #withContexts} of this very thread is
   * @param localRootSpanId what the record shows as local root; if it is 0, it shows no trace
   */
  public static void turn(long recordsAddress, boolean toSecond, long localRootSpanId) {
    NativeBridge.turnVirtualThreadContext0(recordsAddress, toSecond, localRootSpanId);
  }

  /** Returns the address of the memory of a direct buffer. */
  public static long addressOf(ByteBuffer buffer) {
    return NativeBridge.addressOf0(buffer);
  }

  private VirtualThreadMemory() {}
}

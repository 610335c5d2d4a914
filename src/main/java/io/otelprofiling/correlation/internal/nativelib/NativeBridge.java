/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.nativelib;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The native methods, see {@code native/src/jni_bridge.c}. */
final class NativeBridge {
  /**
   * Read by the library while it loads: process storage must not be null for a moment longer than
   * the library is mapped.
   */
  @SuppressWarnings("unused")
  static byte @Nullable [] initialProcessStorage;

  /**
   * In place of what the library does while it loads, where another class loader has loaded it.
   * Bound to its function by {@link MappedLibrary}. False if somebody else has published.
   */
  static native boolean attach0(byte[] processStorage);

  /** This thread's record, valid for as long as the thread lives, and from now on shown. */
  static native ByteBuffer threadRecord0();

  /** Has this thread's record, if it shows a trace, show none. */
  static native void forgetThreadRecord0();

  /** The same for all threads, whoever has written there. */
  static native void forgetAllRecords0();

  /** Returns 0, a JVMTI error, or -1; see {@code native/include/virtual_threads.h}. */
  static native int followVirtualThreads0();

  /** The same as threadRecord0 for the current virtual thread, which is given; null: no memory. */
  static native @Nullable ByteBuffer virtualThreadRecord0(Thread current);

  /** Whether profilers can find this library's thread-local storage. */
  static native boolean tlsDescriptorIsStatic0();

  /** Copies the bytes to where profilers look for them. False if somebody else has published. */
  static native boolean publishProcessStorage0(byte[] encoded);

  static native void withdrawProcessStorage0();

  /** Publishes or replaces the process context; returns 0 or an errno. */
  static native int publishProcessContext0(byte[] payload);

  static native void withdrawProcessContext0();

  /** See {@code native/include/receiver.h}. Returns a handle, 0 on failure. */
  static native long createReceiver0(int socket);

  static native int pump0(long receiver);

  static native long take0(long receiver, ByteBuffer batch);

  static native int await0(long receiver, long waitNanos);

  static native void wake0(long receiver);

  static native void stopReceiver0(long receiver);

  static native void freeReceiver0(long receiver);

  private NativeBridge() {}
}

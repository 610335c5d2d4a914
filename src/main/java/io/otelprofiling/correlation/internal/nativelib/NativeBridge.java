/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.nativelib;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The native methods implemented by {@code native/src/jni_bridge.c}. Methods without a comment do
 * what those that call them promise, in {@link NativeLibrary}, {@link VirtualThreadMemory}, {@link
 * CarrierSamples} and {@link NativeReceiver}.
 */
final class NativeBridge {
  /**
   * The library publishes this process storage while it loads: once a profiler sees the library
   * mapped, the process storage must not be null for longer than necessary.
   */
  @SuppressWarnings("unused")
  static byte @Nullable [] initialProcessStorage;

  /**
   * Does what the library otherwise does while it loads, if another class loader has loaded it.
   * {@link MappedLibrary} binds this method to its function. Returns false if another class loader
   * has published its process storage.
   */
  static native boolean attach0(byte[] processStorage);

  static native ByteBuffer threadRecord0();

  /** Returns 0 if there is no memory, or if the thread has nearly ended. */
  static native long threadRecords0(boolean withAttributes);

  static native ByteBuffer recordAt0(long record);

  static native ByteBuffer recordsAround0(long record);

  static native int threadContextSize0(long record);

  /** Returns null before {@link #useThreadContext0}. */
  static native @Nullable ByteBuffer threadContextPointer0();

  static native void hideThread0();

  /** Regardless of the class loader that wrote the records. */
  static native void hideAllThreads0();

  /** Returns 0, a JVMTI error, or -1; see {@code native/include/virtual_threads.h}. */
  static native int followVirtualThreads0();

  /** Like {@link #threadRecords0}, for the current virtual thread, which is passed in. */
  static native long virtualThreadRecords0(Thread current, boolean withAttributes);

  /**
   * Shows the first or second of these contexts on the carrier; see {@code
   * native/include/virtual_threads.h}.
   */
  static native void turnVirtualThreadContext0(long record, boolean toSecond, long localRootSpanId);

  static native boolean followCarriers0(ByteBuffer lastSample);

  static native void forgetCarriers0();

  static native boolean carriersAreKnown0();

  static native boolean wasVirtualThreadSampled0();

  static native long nextCarrier0(long carrier);

  static native void takeReports0(long carrier, ByteBuffer taken);

  static native void forgetCarrier0(long carrier);

  static native long addressOf0(ByteBuffer buffer);

  /** Returns whether any library of this process defines the thread-local pointer of OTEP 4947. */
  static native boolean definesThreadContext0();

  /** Returns whether any class loader has called {@link #useThreadContext0}. */
  static native boolean hasThreadContext0();

  /**
   * Shows thread contexts from now on, through the pointers whose addresses this function returns.
   */
  static native void useThreadContext0(long slot);

  /** Returns whether profilers can find this library's thread-local storage. */
  static native boolean tlsDescriptorIsStatic0();

  /**
   * Copies the bytes to where profilers look for them. Returns false if another class loader has
   * published its process storage.
   */
  static native boolean publishProcessStorage0(byte[] encoded);

  static native void withdrawProcessStorage0();

  /** Publishes or replaces the process context. Returns 0 or an errno. */
  static native int publishProcessContext0(byte[] payload);

  static native void announceProcess0();

  static native void withdrawProcessContext0();

  static native ByteBuffer statusBlock0();

  /**
   * Replaces the counters and the text of the status. Returns 0 unless they do not fit, or another
   * class loader has published its process storage.
   */
  static native int publishStatus0(boolean hasPublished, long[] counters, byte[] text);

  /** Creates a receiver; see {@code native/include/receiver.h}. Returns a handle, or -errno. */
  static native long createReceiver0(int socket);

  static native int pump0(long receiver);

  static native long take0(long receiver, ByteBuffer batch);

  static native int await0(long receiver, long waitNanos);

  static native void promise0(long receiver, long withinMillis);

  static native void wake0(long receiver);

  static native void stopReceiver0(long receiver);

  static native void freeReceiver0(long receiver);

  private NativeBridge() {}
}

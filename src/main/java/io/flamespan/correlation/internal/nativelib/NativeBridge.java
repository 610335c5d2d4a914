/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.nativelib;

import java.nio.ByteBuffer;
import java.util.concurrent.locks.AbstractOwnableSynchronizer;
import org.jspecify.annotations.Nullable;

/**
 * The native methods implemented by {@code native/src/jni_bridge.c}. The {@link NativeLibrary} must
 * be loaded. Methods without a comment do what their callers promise, in {@link NativeLibrary} and
 * {@link NativeReceiver}.
 */
public final class NativeBridge {
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

  /**
   * Returns the record of the calling platform thread that profilers see, after creating one
   * without a trace if necessary. Only this thread may use it: the memory is freed with the thread.
   */
  public static native ByteBuffer threadRecord0();

  /** Returns 0 if there is no memory, or if the thread has nearly ended. */
  static native long threadRecords0(boolean withAttributes);

  /** Returns the 37 bytes of a record of {@link NativeLibrary#virtualThreadRecords}. */
  public static native ByteBuffer recordAt0(long record);

  /**
   * Returns the memory around a record of {@link NativeLibrary#threadRecords} or {@link
   * NativeLibrary#virtualThreadRecords}: its 37 bytes, the two thread contexts after it, and the
   * records of other threads. It begins on an 8-byte boundary, and exists as long as the process.
   */
  public static native ByteBuffer recordsAround0(long record);

  /** Returns the size in bytes of each thread context after such a record: 32 or 288. */
  public static native int threadContextSize0(long record);

  /** Returns null before {@link #useThreadContext0}. */
  static native @Nullable ByteBuffer threadContextPointer0();

  /**
   * Shows no trace on the calling platform thread, whatever a previous owner has left in its record
   * and thread context.
   */
  public static native void hideThread0();

  /** Regardless of the class loader that wrote the records. */
  static native void hideAllThreads0();

  /** Returns 0, a JVMTI error, or -1; see {@code native/include/virtual_threads.h}. */
  static native int followVirtualThreads0();

  /** Like {@link #threadRecords0}, for the current virtual thread, which is passed in. */
  static native long virtualThreadRecords0(Thread current, boolean withAttributes);

  /**
   * Makes profilers see the first or second of the calling virtual thread's thread contexts,
   * wherever the thread is mounted, and the ids of that context in its record. The thread cannot
   * change its carrier meanwhile.
   *
   * @param record the address that {@link NativeLibrary#virtualThreadRecords} has returned to this
   *     thread
   * @param localRootSpanId the local root that the record shows; if 0, it shows no trace
   */
  public static native void turnVirtualThreadContext0(
      long record, boolean toSecond, long localRootSpanId);

  /**
   * Says to carriers which local root span that the sampler dropped the calling virtual thread
   * works for. Virtual threads must be followed.
   *
   * @param number stands for the span's name; 0 if there is none
   */
  public static native void noteNotSampled0(Thread current, long number);

  /**
   * Follows carriers from now on, for one profiler in this process.
   *
   * @param lastSample the memory in which the profiler keeps the time of the calling thread's last
   *     sample
   * @param withWaits whether waits of virtual threads are wanted
   * @return false if the profiler is not found
   */
  public static native boolean followCarriers0(ByteBuffer lastSample, boolean withWaits);

  /** Follows no carrier from now on. */
  public static native void forgetCarriers0();

  /** See {@code native/include/deferred_signal.h}. */
  static native void deferToHandlers0(int signal);

  /** Returns 0, a JVMTI error, or -1; see {@code native/include/gc_events.h}. */
  static native int beginGcEvents0(ByteBuffer causes, int currentCause, int lastCause);

  static native void endGcEvents0(ByteBuffer causes);

  /** Takes pauses; see {@code native/include/gc_pauses.h}. */
  static native void takeGcPauses0(ByteBuffer causes, ByteBuffer taken);

  /** Defines a class that the bootstrap class loader does not have. */
  static native Class<?> defineInBootLoader0(byte[] content);

  /** Returns whether carriers of which nothing is known have worked for no trace. */
  public static native boolean carriersAreKnown0();

  /**
   * Reports new samples of the calling virtual thread, before what it shows changes. Returns
   * whether there were any since the last call.
   */
  public static native boolean wasVirtualThreadSampled0();

  /** Returns a handle of the carrier after this one, or of the first one for 0; 0 at the end. */
  public static native long nextCarrier0(long carrier);

  /** Takes what a carrier has reported since the last call; see {@code carrier_samples.h}. */
  public static native void takeReports0(long carrier, ByteBuffer taken);

  /** Frees a carrier that was said to have ended. */
  public static native void forgetCarrier0(long carrier);

  /**
   * Moves the earliest waits of virtual threads to this direct buffer; see {@code waits.h}. Returns
   * the length of what it has written, which is 0 if none are left.
   */
  public static native int takeWaits0(ByteBuffer taken);

  /** Returns how many waits have been lost since the last call. */
  public static native long lostWaits0();

  /**
   * Returns the descriptor of the declaring class and the name of a method, as in {@code
   * Ljava/lang/Object;wait}, or null if its class was unloaded.
   */
  public static native @Nullable String methodName0(long method);

  /** Returns pairs of a location and the line that begins there, or null if it is not known. */
  public static native int @Nullable [] methodLines0(long method);

  /** See {@code native/include/lock_owner.h}. */
  static native @Nullable Thread lockOwner0(AbstractOwnableSynchronizer synchronizer);

  /** Returns the address of a direct buffer's memory. */
  public static native long addressOf0(ByteBuffer buffer);

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

  /**
   * Makes profilers look at this process again, and so find the library, as the publication of a
   * process context does.
   */
  public static native void announceProcess0();

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

  static native int threadTimesSince0(long[] times);

  private NativeBridge() {}
}

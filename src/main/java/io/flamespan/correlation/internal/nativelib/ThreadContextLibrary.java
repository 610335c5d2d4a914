/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.nativelib;

import io.flamespan.correlation.internal.log.Trouble;
import java.nio.file.Path;
import java.util.logging.Level;

/**
 * The library that contains only the thread-local pointer of OTEP 4947, section "Thread-Local
 * Variable". The main library contains the memory to which it points, and sets the pointer at the
 * address returned by a function of this library. Profilers open the file after it was loaded, so
 * it must not be deleted.
 */
final class ThreadContextLibrary {
  /**
   * Returns the address of the function that returns the address of the calling thread's pointer.
   */
  private static native long slot0();

  /** Returns whether the pointer is in static thread-local storage. */
  private static native boolean isStatic0();

  /**
   * Loads the file, and lets the main library, which must be loaded, use it.
   *
   * @throws UnsatisfiedLinkError if it cannot be loaded
   */
  static void load(Path file) {
    System.load(file.toString());
    NativeBridge.useThreadContext0(slot0());
    if (!isStatic0()) {
      Trouble.log(
          ThreadContextLibrary.class,
          Level.INFO,
          "Readers that need static thread-local storage cannot read the thread contexts of this"
              + " process: {0}. Datadog''s workload agent can still read them, and so can the"
              + " OpenTelemetry eBPF profiler once it knows the layout of this C library.",
          CLibrary.noStaticStorage(file));
    }
  }

  private ThreadContextLibrary() {}
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.features;

import java.lang.ref.Reference;
import jnr.ffi.LibraryLoader;
import jnr.ffi.Memory;
import jnr.ffi.Pointer;
import jnr.ffi.Runtime;
import jnr.ffi.annotations.Delegate;

/**
 * A thread of native code that attaches to the JVM for a first task and detaches, and does so again
 * for a second one, so that Java sees two threads where there is one of the operating system.
 */
final class AttachingThread {
  private static final Functions FUNCTIONS = LibraryLoader.create(Functions.class).load("c");
  private static final int POINTER_LENGTH = 8;

  /** Called by jnr-ffi under exactly these names. */
  public interface Functions {
    int pthread_create(Pointer thread, Pointer attributes, Task start, Pointer argument);

    int pthread_join(long thread, Pointer result);

    int pthread_key_create(Pointer key, Task destructor);

    int pthread_setspecific(int key, Pointer value);
  }

  /** Attaches the thread that calls it to the JVM, and detaches it when it returns. */
  public interface Task {
    @Delegate
    void run(Pointer argument);
  }

  /** The second task is what the thread has to do with its thread-specific data when it ends. */
  static void run(Runnable first, Runnable second) {
    Runtime runtime = Runtime.getRuntime(FUNCTIONS);
    Pointer memory = Memory.allocate(runtime, POINTER_LENGTH);
    Task destructor = argument -> second.run();
    check(FUNCTIONS.pthread_key_create(memory, destructor));
    int key = memory.getInt(0);
    Task start =
        argument -> {
          first.run();
          check(FUNCTIONS.pthread_setspecific(key, memory));
        };
    Pointer thread = Memory.allocate(runtime, POINTER_LENGTH);
    check(FUNCTIONS.pthread_create(thread, null, start, null));
    check(FUNCTIONS.pthread_join(thread.getLong(0), null));
    Reference.reachabilityFence(start);
    Reference.reachabilityFence(destructor);
  }

  private static void check(int error) {
    if (error != 0) {
      throw new IllegalStateException("error " + error);
    }
  }

  private AttachingThread() {}
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import java.lang.ref.Reference;
import jnr.ffi.LibraryLoader;
import jnr.ffi.Memory;
import jnr.ffi.Pointer;
import jnr.ffi.Runtime;
import jnr.ffi.annotations.Delegate;

/**
 * A native thread that attaches to the JVM for a first task, detaches, and attaches again for a
 * second task. Java sees two threads where the operating system has one.
 */
final class AttachingThread {
  private static final Functions FUNCTIONS = LibraryLoader.create(Functions.class).load("c");
  private static final int POINTER_LENGTH = 8;

  /** jnr-ffi binds functions by the exact method name. */
  public interface Functions {
    int pthread_create(Pointer thread, Pointer attributes, Task start, Pointer argument);

    int pthread_join(long thread, Pointer result);

    int pthread_key_create(Pointer key, Task destructor);

    int pthread_setspecific(int key, Pointer value);
  }

  /** Attaches the calling thread to the JVM, and detaches it when it ends. */
  public interface Task {
    @Delegate
    void run(Pointer argument);
  }

  /** Runs both tasks. The second task is a destructor of thread-specific data. */
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

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/** The ids of threads that the JVM gives them, which are not used again. */
final class ThreadIds {
  /** The id of a thread that cannot be told. */
  static final long UNKNOWN = -1;

  /** {@code Thread.threadId()}, or null before Java 19. */
  private static final @Nullable MethodHandle THREAD_ID = findThreadId();

  /** Returns the id, or {@link #UNKNOWN} if the class of the thread gives it one of its own. */
  static long of(Thread thread) {
    try {
      if (THREAD_ID != null) {
        return (long) THREAD_ID.invokeExact(thread);
      }
      Class<?> source = thread.getClass().getMethod("getId").getDeclaringClass();
      return source == Thread.class ? thread.getId() : UNKNOWN;
    } catch (Throwable e) {
      return UNKNOWN;
    }
  }

  private static @Nullable MethodHandle findThreadId() {
    try {
      return MethodHandles.publicLookup()
          .findVirtual(Thread.class, "threadId", MethodType.methodType(long.class));
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }

  private ThreadIds() {}
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.protocol;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the stores of one thread in program order for a reader that interrupts this thread.
 *
 * <p>Java 9 and later have {@code VarHandle.releaseFence}, which costs no instruction on x86-64. It
 * is called through a constant method handle, because these classes are compiled for Java 8. On
 * Java 8, the fence is a volatile store to an object that belongs to this thread, rather than to
 * one shared by all threads.
 */
final class OrderingFence {
  /** A system property, for tests only, that makes any Java use the fence of Java 8. */
  private static final String FORCE_JAVA_8 = "io.flamespan.correlation.java8Fence";

  private static final @Nullable MethodHandle RELEASE_FENCE = findReleaseFence();

  private static final OrderingFence SHARED = new OrderingFence();

  @SuppressWarnings("unused") // written only for the ordering
  private volatile int ordered;

  private OrderingFence() {}

  /** Returns a fence for one thread. */
  static OrderingFence ofOneThread() {
    return RELEASE_FENCE == null ? new OrderingFence() : SHARED;
  }

  void order() {
    if (RELEASE_FENCE == null) {
      ordered = 0;
      return;
    }
    try {
      RELEASE_FENCE.invokeExact();
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  private static @Nullable MethodHandle findReleaseFence() {
    if (Boolean.getBoolean(FORCE_JAVA_8)) {
      return null;
    }
    try {
      Class<?> varHandle = Class.forName("java.lang.invoke.VarHandle");
      return MethodHandles.publicLookup()
          .findStatic(varHandle, "releaseFence", MethodType.methodType(void.class));
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }
}

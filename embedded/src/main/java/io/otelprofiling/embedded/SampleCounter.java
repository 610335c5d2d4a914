/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.embedded;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import one.profiler.Recording;
import org.jspecify.annotations.Nullable;

/**
 * The eight bytes in which async-profiler keeps the time of the last sample of a thread, in
 * nanoseconds of {@link System#nanoTime()}. A thread has them from the first call on.
 */
final class SampleCounter {
  private final Method method;

  /**
   * Finds the method that returns them. async-profiler must be loaded.
   *
   * @throws ReflectiveOperationException if this version of async-profiler has none
   */
  SampleCounter() throws ReflectiveOperationException {
    // Only the class of async-profiler for spans may call it.
    method = Recording.class.getDeclaredMethod("getThreadLocalBuffer");
    method.setAccessible(true);
  }

  /** Returns the bytes of the calling thread, to be read by it only, or null without memory. */
  @Nullable ByteBuffer ofCurrentThread() {
    try {
      ByteBuffer bytes = (ByteBuffer) method.invoke(null);
      return bytes == null ? null : bytes.order(ByteOrder.nativeOrder());
    } catch (IllegalAccessException | InvocationTargetException e) {
      return null;
    }
  }
}

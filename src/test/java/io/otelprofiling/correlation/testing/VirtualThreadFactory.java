/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.testing;

import java.util.concurrent.ThreadFactory;

/** Virtual threads for tests, which are compiled for a Java that has none. */
public final class VirtualThreadFactory {
  /** Starts at each call a virtual thread on Java 21 and later; elsewhere it fails. */
  public static ThreadFactory create() {
    try {
      Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
      Class<?> type = Class.forName("java.lang.Thread$Builder");
      return (ThreadFactory) type.getMethod("factory").invoke(builder);
    } catch (ReflectiveOperationException e) {
      throw new UnsupportedOperationException("virtual threads need Java 21", e);
    }
  }

  private VirtualThreadFactory() {}
}

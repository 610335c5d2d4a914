/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.testing;

import java.util.concurrent.ThreadFactory;

/** Creates virtual threads for tests, which are compiled for a Java version without them. */
public final class VirtualThreadFactory {
  /** Returns a factory of virtual threads on Java 21 and later; throws on older versions. */
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

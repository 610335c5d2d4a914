/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.context;

import io.flamespan.correlation.internal.config.Settings;
import io.flamespan.correlation.internal.log.Trouble;
import io.flamespan.correlation.internal.nativelib.NativeLibrary;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * Provides records for virtual threads (Java 21 and later). Each virtual thread has a separate
 * record, and native code shows it on the carrier while the virtual thread is mounted. This makes
 * the JVM report every mount and unmount, so it begins only with the first trace, or dropped root
 * that counts, on a virtual thread. Thread-safe.
 */
public final class VirtualThreads {
  private static final @Nullable MethodHandle IS_VIRTUAL = findIsVirtual();

  private enum Carriers {
    NOT_FOLLOWED,
    FOLLOWED,
    IMPOSSIBLE
  }

  private volatile Carriers carriers = Carriers.NOT_FOLLOWED;
  private volatile boolean enabled = true;

  /**
   * Sets whether virtual threads show traces. While false, virtual threads that have shown no trace
   * yet never will.
   */
  void setEnabled(boolean enabled) {
    this.enabled = enabled;
  }

  /** Returns whether the calling thread is virtual. */
  public static boolean isCurrent() {
    if (IS_VIRTUAL == null) {
      return false;
    }
    try {
      return (boolean) IS_VIRTUAL.invokeExact(Thread.currentThread());
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns whether virtual threads can show their traces, and are configured to. */
  boolean areShown() {
    return enabled && areFollowed();
  }

  /** Returns whether virtual threads show their traces, or will with the first one. */
  boolean canBeShown() {
    return IS_VIRTUAL != null && enabled && carriers != Carriers.IMPOSSIBLE;
  }

  /** Returns in a few words whether virtual threads show their traces. */
  String state() {
    if (IS_VIRTUAL == null) {
      return "no virtual threads on this JVM";
    }
    if (!enabled) {
      return "disabled";
    }
    return carriers == Carriers.IMPOSSIBLE ? "impossible" : "mirrored";
  }

  private boolean areFollowed() {
    if (carriers == Carriers.NOT_FOLLOWED) {
      follow();
    }
    return carriers == Carriers.FOLLOWED;
  }

  private synchronized void follow() {
    if (carriers != Carriers.NOT_FOLLOWED) {
      return;
    }
    try {
      NativeLibrary.followVirtualThreads();
      carriers = Carriers.FOLLOWED;
    } catch (UnsupportedOperationException | LinkageError e) {
      carriers = Carriers.IMPOSSIBLE;
      Trouble.warn(
          VirtualThreads.class,
          "Virtual threads show no trace to profilers: {0}. Platform threads do. Set {1} to"
              + " false to avoid this warning.",
          String.valueOf(e.getMessage()),
          Settings.VIRTUAL_THREADS_ENABLED);
    }
  }

  private static @Nullable MethodHandle findIsVirtual() {
    try {
      return MethodHandles.publicLookup()
          .findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class));
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }
}

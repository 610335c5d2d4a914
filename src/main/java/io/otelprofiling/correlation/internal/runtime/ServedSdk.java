/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.runtime;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.SpanProcessor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Decides which plug-in of this class loader serves an SDK. Only one at a time can, because
 * profilers see one socket per process. Thread-safe.
 */
final class ServedSdk {
  /** The plug-in of one SDK, as the plug-ins of other SDKs see it. */
  interface Plugin {
    /** Returns whether an SDK has been built with this plug-in. */
    boolean isInUse();

    /** Wraps a processor, which then receives its local root spans after the samples delay. */
    SpanProcessor delayingFromNowOn(SpanProcessor downstream);

    /** Reports that another SDK was configured and runs without a plug-in. */
    void otherSdkRefused();

    /** Stops the plug-in. The result always completes. Never throws. */
    CompletableResultCode stop();
  }

  static final long MAX_STOP_SECONDS = 10;

  /** Held while a plug-in starts, and while one that stays off checks whether another one runs. */
  static final Object LOCK = new Object();

  /** The plug-in that serves an SDK. */
  static final AtomicReference<@Nullable Plugin> RUNNING = new AtomicReference<>();

  /** The number of SDKs that were configured while the plug-in served another one. */
  static final AtomicLong REFUSED = new AtomicLong();

  /**
   * Lets this plug-in serve its SDK, unless another plug-in serves one. {@link #LOCK} must be held.
   *
   * @return whether this plug-in serves its SDK now
   */
  static boolean take(Plugin plugin) {
    if (RUNNING.compareAndSet(null, plugin)) {
      return true;
    }
    Plugin other = RUNNING.get();
    if (other == null || other == plugin || other.isInUse()) {
      return false;
    }
    // The configuration of the other SDK failed after its plug-in had started.
    other.stop().join(MAX_STOP_SECONDS, TimeUnit.SECONDS);
    return RUNNING.compareAndSet(null, plugin);
  }

  private ServedSdk() {}
}

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
 * Which plug-in of this class loader serves an SDK: one at a time, because profilers see one socket
 * per process. Thread-safe.
 */
final class ServedSdk {
  /** The plug-in of one SDK, as the plug-ins of other SDKs see it. */
  interface Plugin {
    /** Returns whether an SDK was built with it. */
    boolean isInUse();

    /** Wraps a processor, which then receives its local root spans after the samples delay. */
    SpanProcessor delayingFromNowOn(SpanProcessor downstream);

    /** Reports that another SDK was configured, which runs without a plug-in. */
    void otherSdkRefused();

    /** Stops it. The result completes in any case. Never throws. */
    CompletableResultCode stop();
  }

  static final long MAX_STOP_SECONDS = 10;

  /** Held while a plug-in starts, and while one that stays off looks whether another runs. */
  static final Object LOCK = new Object();

  /** The plug-in that serves an SDK. */
  static final AtomicReference<@Nullable Plugin> RUNNING = new AtomicReference<>();

  /** How many SDKs were configured while the plug-in served another one. */
  static final AtomicLong REFUSED = new AtomicLong();

  /**
   * Lets this plug-in serve its SDK, unless another one serves one. To be called with {@link #LOCK}
   * held.
   *
   * @return whether it does
   */
  static boolean take(Plugin plugin) {
    if (RUNNING.compareAndSet(null, plugin)) {
      return true;
    }
    Plugin other = RUNNING.get();
    if (other == null || other == plugin || other.isInUse()) {
      return false;
    }
    // The configuration of the other SDK failed after its plug-in had been started.
    other.stop().join(MAX_STOP_SECONDS, TimeUnit.SECONDS);
    return RUNNING.compareAndSet(null, plugin);
  }

  private ServedSdk() {}
}

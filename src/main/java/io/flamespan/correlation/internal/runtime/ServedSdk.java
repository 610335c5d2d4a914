/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.runtime;

import io.flamespan.correlation.internal.log.RateLimitedLogger;
import io.flamespan.correlation.internal.log.Trouble;
import io.flamespan.correlation.internal.publication.ServiceStorage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Decides which plug-in of this class loader serves an SDK. Only one at a time can, because
 * profilers see one socket per process. Thread-safe.
 */
final class ServedSdk {
  static final long MAX_STOP_SECONDS = 10;

  // How many refused SDKs are reported one by one. There may be thousands, one for each test.
  private static final int REPORTED = 10;

  private static final RateLimitedLogger refusedLogger = new RateLimitedLogger(Correlator.class);

  /** Held while a plug-in starts, and while one that stays off checks whether another one runs. */
  static final Object LOCK = new Object();

  /** The plug-in that serves an SDK. */
  static final AtomicReference<@Nullable Correlator> RUNNING = new AtomicReference<>();

  /**
   * Lets this plug-in serve its SDK, unless another plug-in serves one. {@link #LOCK} must be held.
   *
   * @return whether this plug-in serves its SDK now
   */
  static boolean take(Correlator plugin) {
    Correlator other = RUNNING.get();
    if (other != null && other != plugin && other.isAbandoned()) {
      Trouble.warn(
          Correlator.class,
          "The configuration of the OpenTelemetry SDK of service {0} has failed. Flamespan"
              + " gives it up and serves the SDK of service {1}.",
          service(other),
          service(plugin));
      other.stop().join(MAX_STOP_SECONDS, TimeUnit.SECONDS);
    }
    return RUNNING.compareAndSet(null, plugin);
  }

  /** Reports that an SDK runs without a plug-in because another SDK has one. */
  static void refuse(Correlator plugin) {
    Correlator running = RUNNING.get();
    long refused = ProcessState.REFUSED_SDKS.incrementAndGet();
    String line =
        "Flamespan serves one OpenTelemetry SDK per process, and already serves "
            + (running == null ? "another one" : "the SDK of service " + service(running))
            + ". The SDK of service "
            + service(plugin)
            + " runs without it";
    if (refused < REPORTED) {
      Trouble.warn(
          Correlator.class, line + ". To correlate it instead, close the other one first.");
    } else {
      refusedLogger.warn(line + ", and so do " + (refused - 1) + " others");
    }
    statusChanged();
  }

  private static String service(Correlator plugin) {
    return ServiceStorage.name(plugin.parts.resource);
  }

  /** Reports that something of the status may have changed. */
  static void statusChanged() {
    Correlator running = RUNNING.get();
    if (running != null) {
      running.parts.status.changed();
    }
  }

  private ServedSdk() {}
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.runtime;

import io.otelprofiling.correlation.internal.log.Trouble;
import java.io.IOException;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Explains in one line why the plug-in could not start, with a remedy. */
final class StartFailure {
  private static final Logger logger = Logger.getLogger(Correlator.class.getName());

  /** Logs the reason, and returns it without a full stop. */
  static String log(Throwable e) {
    String reason = knownReason(e);
    if (reason == null) {
      Trouble.warn(logger, "Profiling correlation is off", e);
      return String.valueOf(e);
    }
    Trouble.log(logger, Level.WARNING, "Profiling correlation is off: {0}.", reason);
    Trouble.log(logger, Level.FINE, "Profiling correlation is off", e);
    return reason;
  }

  private static @Nullable String knownReason(Throwable e) {
    if (e instanceof IOException) {
      return String.valueOf(e.getMessage());
    }
    if (e instanceof OutOfMemoryError && String.valueOf(e.getMessage()).contains("native thread")) {
      return "the system cannot create a thread ("
          + e.getMessage()
          + "). Raise the limit of threads: ulimit -u, or pids.max of the container";
    }
    return null;
  }

  private StartFailure() {}
}

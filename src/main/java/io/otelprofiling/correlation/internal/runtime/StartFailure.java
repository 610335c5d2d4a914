/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.runtime;

import java.io.IOException;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Logs in one line why the plug-in could not start, and what to do about it. Never throws. */
final class StartFailure {
  private static final Logger logger = Logger.getLogger(Correlator.class.getName());

  static void log(Throwable e) {
    try {
      logLine(e);
    } catch (Throwable ofLogHandlers) {
      // There is nothing left to do.
    }
  }

  private static void logLine(Throwable e) {
    if (e instanceof IOException) {
      logger.log(Level.WARNING, "Profiling correlation is off: {0}.", e.getMessage());
    } else if (e instanceof NoClassDefFoundError
        && e.getCause() instanceof ClassNotFoundException) {
      logger.log(
          Level.WARNING,
          "Profiling correlation is off: {0} is missing. The plug-in needs its dependencies in"
              + " its own class loader. As an extension of the OpenTelemetry Java agent, use the"
              + " jar whose name ends in -agent-extension: it contains them.",
          e.getMessage());
    } else {
      logger.log(Level.WARNING, "Profiling correlation is off", e);
      return;
    }
    logger.log(Level.FINE, "Profiling correlation is off", e);
  }

  private StartFailure() {}
}

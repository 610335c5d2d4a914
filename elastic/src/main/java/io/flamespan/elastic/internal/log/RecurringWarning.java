/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.log;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Logs a recurring problem at most once a minute, with the number of occurrences since the last
 * warning. Never throws, because callers still have work to do after a warning. Thread-safe.
 */
public final class RecurringWarning {
  private static final long INTERVAL_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Logger logger;
  private final LongSupplier nanoClock;
  private long nextReport;
  private int unreported;

  public RecurringWarning(Class<?> owner) {
    this(Logger.getLogger(owner.getName()), System::nanoTime);
  }

  RecurringWarning(Logger logger, LongSupplier nanoClock) {
    this.logger = logger;
    this.nanoClock = nanoClock;
    nextReport = nanoClock.getAsLong();
  }

  /** Counts one occurrence, and logs a WARNING if the last one was at least a minute ago. */
  public void log(String message) {
    log(message, null);
  }

  /** Like {@link #log(String)}, with the cause of this occurrence. */
  public void log(String message, @Nullable Throwable cause) {
    try {
      int count = toReport();
      if (count > 0) {
        String times = count == 1 ? "" : " (" + count + " times since the last report)";
        logger.log(Level.WARNING, message + times, cause);
      }
    } catch (Throwable e) {
      // Logging itself has failed.
    }
  }

  private synchronized int toReport() {
    unreported++;
    long now = nanoClock.getAsLong();
    if (now - nextReport < 0) {
      return 0;
    }
    nextReport = now + INTERVAL_NANOS;
    int count = unreported;
    unreported = 0;
    return count;
  }
}

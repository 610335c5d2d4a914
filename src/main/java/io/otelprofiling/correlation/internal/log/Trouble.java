/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.log;

import java.text.MessageFormat;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** The last warning of the plug-in in this class loader, for its status. Immutable. */
public final class Trouble {
  // Nothing is created here: if that failed, no warning would ever be logged again.
  private static volatile @Nullable Trouble last;
  private static volatile @Nullable Runnable listener;

  private final String message;
  private final long millis;
  private final long count;

  private Trouble(String message, long millis, long count) {
    this.message = message;
    this.millis = millis;
    this.count = count;
  }

  /** Returns the last warning, or null before the first one. */
  public static @Nullable Trouble last() {
    return last;
  }

  /** Sets what runs after each warning, on the thread that warns. */
  public static void listen(Runnable afterWarning) {
    listener = afterWarning;
  }

  /** Logs a message with places for these parameters, and remembers it if it is a warning. */
  public static void log(Logger logger, Level level, String message, Object... parameters) {
    logger.log(level, message, parameters);
    if (level.equals(Level.WARNING)) {
      boolean isPattern = parameters.length > 0;
      record(isPattern ? MessageFormat.format(message, parameters) : message, null, 1);
    }
  }

  /** Logs a message with its cause, and remembers it if it is a warning. */
  public static void log(Logger logger, Level level, String message, @Nullable Throwable cause) {
    logger.log(level, message, cause);
    if (level.equals(Level.WARNING)) {
      record(message, cause, 1);
    }
  }

  /** Logs a warning with its cause, and remembers it. */
  public static void warn(Logger logger, String message, @Nullable Throwable cause) {
    log(logger, Level.WARNING, message, cause);
  }

  /** Remembers what has happened so many times. Never throws. */
  static void record(String message, @Nullable Throwable cause, long times) {
    try {
      String whole = cause == null ? message : message + ": " + cause;
      synchronized (Trouble.class) {
        Trouble before = last;
        long count = before == null ? 0 : before.count;
        last = new Trouble(whole, System.currentTimeMillis(), count + times);
      }
      Runnable listening = listener;
      if (listening != null) {
        listening.run();
      }
    } catch (Throwable e) {
      // The log has the warning.
    }
  }

  public String message() {
    return message;
  }

  /** Returns when it was logged, in milliseconds since the epoch. */
  public long millis() {
    return millis;
  }

  /** Returns how many warnings there have been, including those that were not logged one by one. */
  public long count() {
    return count;
  }
}

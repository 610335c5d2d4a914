/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.log;

import java.text.MessageFormat;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Logs, and keeps the last warning of the plug-in in this class loader for its status. Equal
 * warnings are logged once a minute, with their number. Logging never throws, although the
 * application's log handlers may, because callers have work to do afterwards. Immutable.
 */
public final class Trouble {
  private static final Object[] NO_PARAMETERS = {};
  static final RecentWarnings RECENT = new RecentWarnings();

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

  /** Logs a message of this class with places for these parameters. Remembers a warning. */
  public static void log(Class<?> source, Level level, String message, Object... parameters) {
    log(logger(source), level, message, parameters, null, 1, System.nanoTime());
  }

  /** Logs a message of this class with its cause. Remembers a warning. */
  public static void log(Class<?> source, Level level, String message, @Nullable Throwable cause) {
    log(logger(source), level, message, NO_PARAMETERS, cause, 1, System.nanoTime());
  }

  /** Logs a warning of this class with places for these parameters, and remembers it. */
  public static void warn(Class<?> source, String message, Object... parameters) {
    log(source, Level.WARNING, message, parameters);
  }

  /** Logs a warning of this class with its cause, and remembers it. */
  public static void warn(Class<?> source, String message, @Nullable Throwable cause) {
    log(source, Level.WARNING, message, cause);
  }

  /** Logs a warning about what has happened so many times until now, and remembers it. */
  static void warn(
      Logger logger, String message, @Nullable Throwable cause, long times, long nowNanos) {
    log(logger, Level.WARNING, message, NO_PARAMETERS, cause, times, nowNanos);
  }

  static Logger logger(Class<?> source) {
    return Logger.getLogger(source.getName());
  }

  private static void log(
      Logger logger,
      Level level,
      String message,
      Object[] parameters,
      @Nullable Throwable cause,
      long times,
      long nowNanos) {
    try {
      boolean isWarning = level.equals(Level.WARNING);
      if (!isWarning && !logger.isLoggable(level)) {
        return; // without the time that formats take to load
      }
      String text = parameters.length == 0 ? message : MessageFormat.format(message, parameters);
      if (!isWarning) {
        log(logger, level, text, cause);
        return;
      }
      String warning = cause == null ? text : text + ": " + describe(cause);
      long unreported = RECENT.count(warning, times, nowNanos);
      if (unreported > 0) {
        String count = unreported == 1 ? "" : " (" + unreported + " times since the last report)";
        log(logger, level, text + count, cause);
      }
      record(warning, times);
    } catch (Throwable e) {
      // Logging itself has failed.
    }
  }

  private static void log(Logger logger, Level level, String text, @Nullable Throwable cause) {
    // Without a class, the logger would walk the stack, and find this method.
    logger.logp(level, logger.getName(), null, text, cause);
  }

  private static String describe(Throwable cause) {
    try {
      return cause.toString();
    } catch (RuntimeException e) {
      return cause.getClass().getName(); // it cannot be described
    }
  }

  private static void record(String message, long times) {
    synchronized (Trouble.class) {
      long before = last == null ? 0 : last.count;
      last = new Trouble(message, System.currentTimeMillis(), before + times);
    }
    Runnable listening = listener;
    if (listening != null) {
      listening.run();
    }
  }

  public String message() {
    return message;
  }

  /** Returns when it was logged, in milliseconds since the epoch. */
  public long millis() {
    return millis;
  }

  /** Returns how many warnings there have been, logged one by one or not. */
  public long count() {
    return count;
  }
}

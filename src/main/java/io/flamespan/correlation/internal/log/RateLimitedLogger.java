/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.log;

import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Logs a recurring problem at most once a minute, with the number of occurrences since the last
 * warning. Problems that should not hide one another need separate instances. Thread-safe. Takes no
 * lock itself. Never throws: see {@link Trouble}.
 */
public final class RateLimitedLogger {
  static final long INTERVAL_NANOS = 60_000_000_000L;

  private final Logger logger;
  private final LongSupplier nanoClock;
  private final AtomicLong unreported = new AtomicLong();
  private final AtomicLong nextReport;

  /** Creates a logger of this class that reads the time from {@link System#nanoTime()}. */
  public RateLimitedLogger(Class<?> source) {
    this(Trouble.logger(source), System::nanoTime);
  }

  RateLimitedLogger(Logger logger, LongSupplier nanoClock) {
    this.logger = logger;
    this.nanoClock = nanoClock;
    this.nextReport = new AtomicLong(nanoClock.getAsLong());
  }

  /** Runs a step. Returns false, after this warning, if it throws anything. */
  public boolean attempt(String failure, Step step) {
    Throwable e = step.failure();
    if (e != null) {
      warn(failure, e);
    }
    return e == null;
  }

  /** Returns the result of a step, or the other one, after this warning, if it throws anything. */
  @SuppressWarnings("NullAway") // null only if that is given
  public <T> T orElse(@Nullable T other, String failure, Callable<? extends T> step) {
    try {
      return step.call();
    } catch (Throwable e) {
      warn(failure, e);
      return other;
    }
  }

  /** Counts one occurrence, and logs a WARNING if the last one was at least a minute ago. */
  public void warn(String message) {
    warn(message, null);
  }

  /** Like {@link #warn(String)}, with the cause of this occurrence. */
  public void warn(String message, @Nullable Throwable cause) {
    unreported.incrementAndGet();
    long now = nanoClock.getAsLong();
    long next = nextReport.get();
    if (now - next >= 0 && nextReport.compareAndSet(next, now + INTERVAL_NANOS)) {
      Trouble.warn(logger, message, cause, unreported.getAndSet(0), now);
    }
  }
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.threads;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Repeats a step that an error has ended, because memory may be free again. To be used where a step
 * must not be left out, such as those of a shutdown, and to be created before that, because it then
 * allocates nothing. Thread-safe.
 */
public final class Retries {
  /** How long steps are repeated. */
  public static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** A step with the number that its caller gives it. */
  public interface Step {
    /** Runs once. */
    void run(int number) throws Exception;
  }

  private final Consumer<Throwable> onError;

  /**
   * Prepares for steps.
   *
   * @param onError receives each error
   */
  public Retries(Consumer<Throwable> onError) {
    this.onError = onError;
  }

  /**
   * Runs the step until it ends without an error, once at least. Never throws.
   *
   * @param number passed on to the step
   * @param sinceNanos from when on the limit counts, as {@link System#nanoTime()}
   * @return false if the step still fails when the limit is over
   */
  public boolean run(Step step, int number, long sinceNanos) {
    while (true) {
      try {
        step.run(number);
        return true;
      } catch (Throwable e) {
        report(e);
      }
      if (System.nanoTime() - sinceNanos > LIMIT_NANOS) {
        return false;
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private void report(Throwable error) {
    try {
      onError.accept(error);
    } catch (Throwable e) {
      // There is nowhere left to report it.
    }
  }
}

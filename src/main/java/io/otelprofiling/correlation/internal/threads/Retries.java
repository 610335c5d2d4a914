/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.threads;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Repeats a failed step that must not be skipped, such as a step of a shutdown. Waits for free
 * memory, but not for a missing class, which would block the caller in vain. Must be created in
 * advance, because {@link #run} then allocates nothing. Thread-safe.
 */
public final class Retries {
  private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final int TRIES = 4; // after errors other than OutOfMemoryError

  /** A step, identified by a number that its caller chooses. */
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
   * Runs the step until it succeeds: for up to ten seconds after an OutOfMemoryError, up to four
   * times after other errors. Never throws.
   *
   * @param number passed to the step
   * @param sinceNanos the start of the time limit, as {@link System#nanoTime()}
   * @return false if the step has failed too often or for too long
   */
  public boolean run(Step step, int number, long sinceNanos) {
    for (int tries = 1; ; tries++) {
      try {
        step.run(number);
        return true;
      } catch (Throwable e) {
        report(e);
        boolean again =
            e instanceof OutOfMemoryError
                ? System.nanoTime() - sinceNanos <= LIMIT_NANOS
                : tries < TRIES;
        if (!again) {
          return false;
        }
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private void report(Throwable error) {
    try {
      onError.accept(error);
    } catch (Throwable e) {
      // The error handler itself has failed.
    }
  }
}

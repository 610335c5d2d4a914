/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.threads;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Repeats a step that an error has ended, where the step must not be left out, such as in a
 * shutdown. Waits for free memory, but not for a missing class, which would block the caller in
 * vain. To be created beforehand, because {@link #run} then allocates nothing. Thread-safe.
 */
public final class Retries {
  private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final int TRIES = 4; // after other errors

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
   * Runs the step until it ends without an error: after an OutOfMemoryError for ten seconds, after
   * another error four times at most. Never throws.
   *
   * @param number passed on to the step
   * @param sinceNanos from when on the limit counts, as {@link System#nanoTime()}
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
      // There is nowhere left to report it.
    }
  }
}

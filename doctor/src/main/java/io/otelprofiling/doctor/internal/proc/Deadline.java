/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.proc;

import java.util.concurrent.TimeUnit;

/** When something has to end. Immutable. */
public final class Deadline {
  private final long end;

  public Deadline(long millis) {
    end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
  }

  public long millisLeft() {
    return Math.max(0, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime()));
  }

  /** Returns whether there is time left, after a pause. */
  public boolean pause(long millis) {
    try {
      Thread.sleep(Math.min(millis, millisLeft()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
    return millisLeft() > 0;
  }
}

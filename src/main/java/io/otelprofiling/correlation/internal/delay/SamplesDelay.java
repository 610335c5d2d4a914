/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.delay;

/**
 * The time that an ended local root span waits for its stack trace ids. Written by the thread that
 * handles messages, and by the thread that starts the plug-in before the worker runs. Read by any
 * thread.
 */
public final class SamplesDelay {
  private static final long NOT_YET = -1;
  private static final long NO_LONGER = -2;

  private volatile long nanos = NOT_YET;
  private volatile long activeSinceMillis;

  /** Delays spans from now on. The new delay also applies to spans that already wait. */
  public void activate(long delayNanos) {
    if (nanos < 0) {
      activeSinceMillis = System.currentTimeMillis();
    }
    nanos = delayNanos;
  }

  /** Ends the delay: from now on, spans pass immediately. */
  public void deactivate() {
    nanos = NO_LONGER;
  }

  public boolean isActive() {
    return nanos >= 0;
  }

  /** Returns whether spans have ever been delayed. */
  public boolean hasBegun() {
    return nanos != NOT_YET;
  }

  /** Returns when the delay became active, in milliseconds since the epoch, or 0. */
  public long activeSinceMillis() {
    return activeSinceMillis;
  }

  /** Returns the delay in nanoseconds, or 0 while inactive. */
  public long nanos() {
    return Math.max(nanos, 0);
  }
}

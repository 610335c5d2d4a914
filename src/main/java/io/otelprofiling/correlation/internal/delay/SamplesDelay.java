/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.delay;

/**
 * How long an ended local root span waits for its stack trace ids. Written by the channel's thread,
 * read by all.
 */
public final class SamplesDelay {
  private static final long INACTIVE = -1;

  private volatile long nanos = INACTIVE;

  /** Delays from now on, also spans that wait already. */
  public void activate(long delayNanos) {
    nanos = delayNanos;
  }

  /** Lets spans pass from now on. */
  public void deactivate() {
    nanos = INACTIVE;
  }

  public boolean isActive() {
    return nanos != INACTIVE;
  }

  /** Nanoseconds, 0 while inactive. */
  public long nanos() {
    return Math.max(nanos, 0);
  }
}

/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.delay;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;

/**
 * The time that an ended local root span waits for its stack trace ids. Written by the thread that
 * handles messages, and by the thread that starts the plug-in before the worker runs. Read by any
 * thread.
 */
public final class SamplesDelay {
  private static final long NOT_YET = -1;
  private static final long NO_LONGER = -2;

  private final List<Runnable> onShorter = new CopyOnWriteArrayList<>();
  private final LongSupplier nanoClock;
  private volatile long nanos = NOT_YET;
  private volatile long activeSinceMillis;

  /** Creates a delay that is not active yet, in the system's time. */
  public SamplesDelay() {
    this(System::nanoTime);
  }

  /** The same with a clock that returns the time like {@link System#nanoTime()}. */
  SamplesDelay(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /** Returns the time by which ended spans wait, like {@link System#nanoTime()}. */
  long nanoTime() {
    return nanoClock.getAsLong();
  }

  /** Delays spans from now on. The new delay also applies to spans that already wait. */
  public void activate(long delayNanos) {
    long before = nanos;
    if (before < 0) {
      activeSinceMillis = System.currentTimeMillis();
    }
    nanos = delayNanos;
    if (delayNanos < before) {
      onShorter.forEach(Runnable::run);
    }
  }

  /**
   * Adds a listener for shorter delays, with which spans are due that were not due before.
   *
   * @param listener runs on a thread that handles messages
   */
  void onShorter(Runnable listener) {
    onShorter.add(listener);
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

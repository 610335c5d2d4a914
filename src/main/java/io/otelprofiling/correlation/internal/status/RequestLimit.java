/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.status;

import java.util.function.LongSupplier;

/**
 * Limits how often the status is written on request, so that a tool that asks in an endless loop
 * does not keep the worker busy. Used by one thread at a time.
 */
public final class RequestLimit {
  private static final int PER_SECOND = 10;
  private static final long SECOND_NANOS = 1_000_000_000L;

  private final LongSupplier nanoClock;
  private final long[] admitted = new long[PER_SECOND];
  private int count;

  /** Creates a limit that reads the time from {@link System#nanoTime()}. */
  public RequestLimit() {
    this(System::nanoTime);
  }

  RequestLimit(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /** Returns whether a request may be answered now. If so, counts it. */
  public boolean admits() {
    long now = nanoClock.getAsLong();
    int place = count % PER_SECOND;
    if (count >= PER_SECOND && now - admitted[place] < SECOND_NANOS) {
      return false;
    }
    admitted[place] = now;
    count = count == 2 * PER_SECOND - 1 ? PER_SECOND : count + 1;
    return true;
  }
}

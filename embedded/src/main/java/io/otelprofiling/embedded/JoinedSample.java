/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.embedded;

import io.otelprofiling.correlation.internal.embedded.Work;
import org.jspecify.annotations.Nullable;

/** A sample, and what its thread worked for at that moment. Immutable. */
public final class JoinedSample {
  /** The time in nanoseconds since the epoch. */
  public final long epochNanos;

  public final String threadName;
  public final StackTrace stackTrace;

  /** What the thread worked for, or null for nothing or if it is not known. */
  public final @Nullable Work work;

  JoinedSample(long epochNanos, String threadName, StackTrace stackTrace, @Nullable Work work) {
    this.epochNanos = epochNanos;
    this.threadName = threadName;
    this.stackTrace = stackTrace;
    this.work = work;
  }
}

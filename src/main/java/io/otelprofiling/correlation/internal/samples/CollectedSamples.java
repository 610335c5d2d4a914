/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.samples;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The stack trace ids of one span, from the first sample until they are frozen. Thread-safe. */
public abstract class CollectedSamples {
  /** The result of {@link #add} after the collection has ended. */
  public static final int FROZEN = -1;

  private volatile @Nullable StackTraceIds ids; // written under the monitor

  /**
   * Counts samples of one stack trace.
   *
   * @param max how many samples the span may have in all
   * @return how many of {@code count} were added, or {@link #FROZEN} if the span accepts none: it
   *     has been passed on, or never will be
   */
  public final synchronized int add(long idHigh, long idLow, int count, int max) {
    if (isFrozen()) {
      return FROZEN;
    }
    StackTraceIds collected = ids;
    if (collected == null) {
      collected = new StackTraceIds();
      ids = collected;
    }
    return collected.add(idHigh, idLow, count, max);
  }

  /** Ends the collection. Every call returns the same ids, so that all exporters see the same. */
  public final synchronized List<String> freeze() {
    StackTraceIds collected = ids;
    if (collected == null) {
      collected = StackTraceIds.NONE;
      ids = collected;
    }
    return collected.freeze();
  }

  /** Returns whether the collection has ended, or there never was one. */
  public final boolean isFrozen() {
    StackTraceIds collected = ids;
    return collected != null && collected.isFrozen();
  }

  /** Drops all samples, and accepts none from now on. */
  protected final synchronized void dropSamples() {
    ids = StackTraceIds.NONE;
  }
}

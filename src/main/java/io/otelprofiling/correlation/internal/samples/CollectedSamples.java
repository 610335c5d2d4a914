/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.samples;

import java.lang.ref.WeakReference;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * The stack trace ids of one span, from the first sample until they are frozen. Refers weakly to an
 * object that exists as long as the span may end, so one object does for both. Thread-safe.
 */
@SuppressWarnings("NullAway") // once set, ids is never null again
public abstract class CollectedSamples extends WeakReference<Object> {
  /** The result of {@link #add} after the collection has ended. */
  public static final int FROZEN = -1;

  private static final AtomicReferenceFieldUpdater<CollectedSamples, @Nullable StackTraceIds> IDS =
      AtomicReferenceFieldUpdater.newUpdater(CollectedSamples.class, StackTraceIds.class, "ids");

  // Its content is guarded by the monitor. Most spans have no samples, and need no monitor.
  private volatile @Nullable StackTraceIds ids;

  protected CollectedSamples(Object witness) {
    super(witness);
  }

  /**
   * Counts samples of one stack trace.
   *
   * @param max the maximum number of samples of the span
   * @return how many of {@code count} were added, or {@link #FROZEN} if the span accepts no samples
   *     because it has been passed on, or never will be
   */
  public final synchronized int add(long idHigh, long idLow, int count, int max) {
    if (ids == null) {
      IDS.compareAndSet(this, null, new StackTraceIds());
    }
    return isFrozen() ? FROZEN : ids.add(idHigh, idLow, count, max);
  }

  /**
   * Records that samples were taken, which will be added later.
   *
   * @return false if the span accepts no samples
   */
  public final boolean expect() {
    return (ids == null && IDS.compareAndSet(this, null, new StackTraceIds())) || !isFrozen();
  }

  /** Returns whether samples were added or are expected, and can still be added. */
  public final boolean isExpecting() {
    return ids != null && !isFrozen();
  }

  /** Ends the collection. Every call returns the same ids, so all exporters see the same. */
  public final List<String> freeze() {
    if (IDS.compareAndSet(this, null, StackTraceIds.NONE)) {
      return Collections.emptyList();
    }
    synchronized (this) {
      return ids.freeze();
    }
  }

  /** Returns the number of samples, including those whose ids exceeded the limit. */
  public final synchronized long samples() {
    return ids == null ? 0 : ids.samples();
  }

  /**
   * Returns true to only one of several exporters that see the same ids, after {@link #freeze},
   * because the number of samples must be reported once.
   */
  public final synchronized boolean report() {
    return ids != StackTraceIds.NONE && ids.report();
  }

  /** Returns whether the collection has ended or never existed. */
  public final boolean isFrozen() {
    StackTraceIds collected = ids;
    return collected != null && collected.isFrozen();
  }

  /** Drops all samples, and accepts no more. */
  protected final void dropSamples() {
    if (ids != StackTraceIds.NONE && !IDS.compareAndSet(this, null, StackTraceIds.NONE)) {
      synchronized (this) {
        ids = StackTraceIds.NONE;
      }
    }
  }
}

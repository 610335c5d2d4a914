/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import io.flamespan.correlation.internal.embedded.Work;
import org.jspecify.annotations.Nullable;

/** A sample, and what its thread worked for at that moment. Immutable. */
public final class JoinedSample {
  public final SampleKind kind;

  /**
   * The time in nanoseconds since the epoch: of a lock, of a whole wait, and of what stops all
   * threads, when it began; of a sample of the wall clock, the middle of what it stands for.
   */
  public final long epochNanos;

  public final String threadName;
  public final StackTrace stackTrace;

  /**
   * What the thread worked for, or null for nothing, for what is not sampled, or if it is not
   * known.
   */
  public final @Nullable Work work;

  /**
   * The name of a local root span that is not sampled, which is empty if it is not known; or null.
   */
  public final @Nullable String notSampled;

  /** Who held the lock; only of {@link SampleKind#HOLDER}. */
  public final @Nullable Holder holder;

  private final long amount;

  /**
   * Creates a sample.
   *
   * @param amount the bytes or nanoseconds it stands for; 0 of a thread is one period
   */
  JoinedSample(
      SampleKind kind,
      long amount,
      long epochNanos,
      String threadName,
      StackTrace stackTrace,
      @Nullable Work work) {
    this(kind, amount, epochNanos, threadName, stackTrace, work, null);
  }

  /** Creates a sample with the holder of a lock. */
  JoinedSample(
      SampleKind kind,
      long amount,
      long epochNanos,
      String threadName,
      StackTrace stackTrace,
      @Nullable Work work,
      @Nullable Holder holder) {
    this.kind = kind;
    this.amount = amount;
    this.epochNanos = epochNanos;
    this.threadName = threadName;
    this.stackTrace = stackTrace;
    this.work = Work.ofSampled(work);
    this.notSampled = work == null ? null : work.notSampled;
    this.holder = holder;
  }

  /** Returns the bytes or nanoseconds that it stands for, with this period. */
  public long amount(long periodNanos) {
    return amount == 0 && !SampleKind.OF_ALL_THREADS.contains(kind) ? periodNanos : amount;
  }
}

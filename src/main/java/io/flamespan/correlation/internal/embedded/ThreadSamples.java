/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.embedded;

import org.jspecify.annotations.Nullable;

/** The samples of one thread. Used only by this thread. */
public abstract class ThreadSamples {
  /** Returns whether the thread was sampled since the last report. Takes a nanosecond or two. */
  public abstract boolean areNew();

  /**
   * Reports that the thread has worked for this local root since the last report. Must be called
   * before what is current changes, and only if there are new samples. The first report of a thread
   * is about the time before it had a context.
   *
   * @param work null if the thread worked for no span
   */
  public abstract void report(@Nullable Work work);

  /** Returns whether somebody wants to know of each change of what is current. */
  public boolean areChangesWanted() {
    return false;
  }

  /**
   * Says what the thread has worked for since the last call, sampled or not. Must be called before
   * what is current changes, if {@link #areChangesWanted}, and may be at other times.
   *
   * @param work null if the thread worked for no span, {@link Work#UNKNOWN} if that is not known,
   *     or if it is for a request that is not sampled and counts as none
   */
  public void change(@Nullable Work work) {}
}

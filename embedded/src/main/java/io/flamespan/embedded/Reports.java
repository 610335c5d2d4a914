/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What a thread has reported of late: until when it worked for what. A sample belongs to the first
 * report at its time or later. Thread-safe.
 *
 * @param <T> what it worked for
 */
final class Reports<T> {
  /** A thread makes one at most for each of its samples, and takes one each 512 KB at most. */
  static final int LIMIT = 32_768;

  private long[] times = new long[2];
  private @Nullable Object[] works = new Object[2];
  private int count;
  private long forgottenUntil = Long.MIN_VALUE;

  /** Adds a report with a later time than all others. Forgets the first ones if there are many. */
  synchronized void add(long time, @Nullable T work) {
    if (count == LIMIT) {
      removeFirst(LIMIT / 2);
    }
    if (count == times.length) {
      times = Arrays.copyOf(times, 2 * count);
      works = Arrays.copyOf(works, 2 * count);
    }
    times[count] = time;
    works[count] = work;
    count++;
  }

  /** Forgets the reports up to a time: later samples do not belong to them. */
  synchronized void forgetUntil(long time) {
    int found = Arrays.binarySearch(times, 0, count, time);
    int forgotten = found >= 0 ? found + 1 : -found - 1;
    if (forgotten > 0) {
      removeFirst(forgotten);
    }
  }

  private void removeFirst(int removed) {
    forgottenUntil = times[removed - 1];
    System.arraycopy(times, removed, times, 0, count - removed);
    System.arraycopy(works, removed, works, 0, count - removed);
    Arrays.fill(works, count - removed, count, null);
    count -= removed;
  }

  /** Returns whether the report is forgotten to which a sample of this time belongs. */
  synchronized boolean areForgottenAt(long time) {
    return time <= forgottenUntil;
  }

  /** Returns the work of a sample of this time, or what is current if there is no report since. */
  @SuppressWarnings("unchecked") // as it was added
  synchronized @Nullable T workAt(long time, @Nullable T current) {
    int found = Arrays.binarySearch(times, 0, count, time);
    int first = found >= 0 ? found : -found - 1;
    return first < count ? (T) works[first] : current;
  }
}

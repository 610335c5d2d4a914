/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import io.flamespan.correlation.internal.embedded.Work;
import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a thread has worked for of late, also when it was not sampled: until when for what.
 * Thread-safe.
 */
final class WorkHistory {
  /** Of a thread that changes its work more often, the earlier ones are forgotten. */
  static final int LIMIT = 8_192;

  /** Compares what threads work for. */
  interface Sameness {
    boolean areSame(@Nullable Work a, @Nullable Work b);
  }

  private static final double MOST = 0.9;

  final Thread thread;
  private volatile Supplier<@Nullable Work> supplier;
  private long[] ends = new long[4];
  private @Nullable Work[] works = new Work[4];
  private int count;
  private long begin; // of the first one
  private boolean wasAlive = true;
  private @Nullable Work current;

  WorkHistory(Thread thread, Supplier<@Nullable Work> supplier, long now) {
    this.thread = thread;
    this.supplier = supplier;
    this.begin = now;
  }

  /** Sets who knows what the thread works for. For the thread itself. */
  void ask(Supplier<@Nullable Work> supplier) {
    this.supplier = supplier;
  }

  /** Adds what the thread has worked for since the last call. For the thread itself. */
  synchronized void add(long end, @Nullable Work work) {
    if (count > 0 && same(works[count - 1], work)) {
      ends[count - 1] = end;
      return;
    }
    if (count == LIMIT) {
      removeFirst(LIMIT / 2);
    }
    if (count == ends.length) {
      ends = Arrays.copyOf(ends, 2 * count);
      works = Arrays.copyOf(works, 2 * count);
    }
    ends[count] = end;
    works[count] = work;
    count++;
  }

  /** Forgets what ended before a time. */
  synchronized void forgetUntil(long time) {
    int forgotten = 0;
    while (forgotten < count && ends[forgotten] < time) {
      forgotten++;
    }
    if (forgotten > 0) {
      removeFirst(forgotten);
    }
  }

  private void removeFirst(int removed) {
    begin = ends[removed - 1];
    System.arraycopy(ends, removed, ends, 0, count - removed);
    System.arraycopy(works, removed, works, 0, count - removed);
    Arrays.fill(works, count - removed, count, null);
    count -= removed;
  }

  /** Looks whether the thread lives. For the collecting thread, as the following methods. */
  void lookWhetherAlive() {
    wasAlive = thread.isAlive();
  }

  /** Returns whether the thread lived at the last look. */
  boolean wasAlive() {
    return wasAlive;
  }

  /** Reads what is current. */
  void readCurrent() {
    current = supplier.get();
  }

  /**
   * Returns what the thread worked for during nine tenths of a time, which was before {@link
   * #readCurrent()}. Otherwise, or if that is not known, returns {@link Work#UNKNOWN}.
   */
  synchronized @Nullable Work ofMost(long from, long to, Sameness sameness) {
    Work found = Work.UNKNOWN;
    long votes = 0;
    for (int i = first(from); ; i++) {
      Work work = workIn(i);
      long nanos = within(i, from, to);
      if (sameness.areSame(found, work)) {
        votes += nanos;
      } else if (nanos > votes) {
        found = work;
        votes = nanos - votes;
      } else {
        votes -= nanos;
      }
      if (i >= count || ends[i] >= to) {
        break;
      }
    }
    long sum = 0;
    for (int i = first(from); i <= count; i++) {
      sum += sameness.areSame(found, workIn(i)) ? within(i, from, to) : 0;
    }
    return sum >= MOST * (to - from) ? found : Work.UNKNOWN;
  }

  /** Returns the first interval that ends after a time; that of what is current is the last. */
  private int first(long time) {
    int place = Arrays.binarySearch(ends, 0, count, time);
    return place >= 0 ? place + 1 : -place - 1;
  }

  private @Nullable Work workIn(int interval) {
    return interval == count ? current : works[interval];
  }

  private long within(int interval, long from, long to) {
    long start = interval == 0 ? begin : ends[interval - 1];
    long end = interval == count ? Long.MAX_VALUE : ends[interval];
    return Math.max(0, Math.min(end, to) - Math.max(start, from));
  }

  static boolean same(@Nullable Work a, @Nullable Work b) {
    return a == null ? b == null : a.isSame(b);
  }

  /** Returns whether both are for the same request. */
  static boolean sameRequest(@Nullable Work a, @Nullable Work b) {
    if (a == null || b == null) {
      return a == null && b == null;
    }
    return a.traceIdHigh == b.traceIdHigh
        && a.traceIdLow == b.traceIdLow
        && a.localRootSpanId == b.localRootSpanId;
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import io.flamespan.correlation.internal.embedded.Work;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a thread has worked for of late, also when it was not sampled: until when for what.
 * Thread-safe.
 */
final class WorkHistory {
  /**
   * Of a thread that changes its work more often, names and then the earlier half are forgotten.
   */
  static final int LIMIT = 4_096;

  final Thread thread;
  private volatile Supplier<@Nullable Work> supplier;
  private volatile boolean hasEnded;
  private long[] ends = new long[4];
  private @Nullable Work[] works = new Work[4];
  private int count;
  private long begin; // of the first one

  WorkHistory(Thread thread, Supplier<@Nullable Work> supplier, long now) {
    this.thread = thread;
    this.supplier = supplier;
    this.begin = now;
  }

  /** Sets who knows what the thread works for. For the thread itself. */
  void ask(Supplier<@Nullable Work> supplier) {
    this.supplier = supplier;
  }

  /**
   * Adds what the thread has worked for since the last call. What is shorter than a wait takes no
   * room after other work for the same request. For the thread itself.
   */
  synchronized void add(long end, @Nullable Work work) {
    if (hasEnded) {
      return;
    }
    if (count > 0 && isSameFor(works[count - 1], work, end - ends[count - 1])) {
      ends[count - 1] = end;
      return;
    }
    if (count == LIMIT) {
      forgetNotSampled();
      if (count > LIMIT - LIMIT / 8) {
        removeFirst(LIMIT / 2);
      }
    }
    if (count == ends.length) {
      long[] longer = Arrays.copyOf(ends, 2 * count);
      works = Arrays.copyOf(works, 2 * count);
      ends = longer; // when nothing needs memory any more
    }
    ends[count] = end;
    works[count] = work;
    count++;
  }

  private static boolean isSameFor(@Nullable Work before, @Nullable Work work, long nanos) {
    return before == work
        || (before != null
            && work != null
            && (before.isSame(work)
                || (nanos < Holders.THRESHOLD_NANOS && areAlike(before, work))));
  }

  private static boolean areAlike(@Nullable Work a, @Nullable Work b) {
    if (a == null || b == null) {
      return a == b;
    }
    return a.traceIdHigh == b.traceIdHigh
        && a.traceIdLow == b.traceIdLow
        && a.localRootSpanId == b.localRootSpanId
        && Objects.equals(a.notSampled, b.notSampled);
  }

  /** Makes one unknown work of each row of requests that are not sampled, and times without any. */
  private void forgetNotSampled() {
    int kept = 0;
    for (int i = 0; i < count; i++) {
      boolean isForgotten = works[i] == Work.UNKNOWN || Work.ofSampled(works[i]) == null;
      if (kept == 0 || !isForgotten || works[kept - 1] != Work.UNKNOWN) {
        works[kept++] = isForgotten ? Work.UNKNOWN : works[i];
      }
      ends[kept - 1] = ends[i];
    }
    Arrays.fill(works, kept, count, null);
    count = kept;
  }

  /** Forgets what ended before a time. */
  synchronized void forgetUntil(long time) {
    int forgotten = first(time - 1);
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

  /** Forgets all, and learns nothing more. */
  synchronized void end() {
    hasEnded = true;
    count = 0;
    ends = new long[0];
    works = new Work[0];
  }

  /** Returns whether somebody wants to know more. */
  boolean goesOn() {
    return !hasEnded;
  }

  /**
   * Returns what the thread worked for in all of a time, of one request, or null if it worked for
   * none. Returns {@link Work#UNKNOWN} if that has changed, or is not known of all of the time.
   */
  synchronized @Nullable Work within(long from, long to) {
    if (hasEnded || from < begin) {
      return Work.UNKNOWN;
    }
    int first = first(from);
    Work found = null;
    for (int i = first; ; i++) {
      Work work = i < count ? works[i] : supplier.get();
      if (work == Work.UNKNOWN || (i > first && !areAlike(found, work))) {
        return Work.UNKNOWN;
      }
      found = work;
      if (i >= count || ends[i] >= to) {
        return found;
      }
    }
  }

  /** Returns what the thread works for now. */
  @Nullable Work current() {
    return hasEnded ? Work.UNKNOWN : supplier.get();
  }

  /** Returns since when the thread has worked for what is current. */
  synchronized long since() {
    return count == 0 ? begin : ends[count - 1];
  }

  /** Returns when the thread has ended what it worked for at a time, or a time that never comes. */
  synchronized long until(long time) {
    int at = first(time);
    return at < count ? ends[at] : Long.MAX_VALUE;
  }

  /** Returns the first interval that ends after a time; that of what is current is the last. */
  private int first(long time) {
    int place = Arrays.binarySearch(ends, 0, count, time);
    return place >= 0 ? place + 1 : -place - 1;
  }
}

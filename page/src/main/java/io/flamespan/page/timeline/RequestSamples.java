/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.timeline;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntArrays;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.ArrayList;
import java.util.List;

/**
 * The samples of one request, of which docs/internals/time-line.md says what of its time each has.
 * All times are in nanoseconds since the epoch.
 */
public final class RequestSamples {
  /** The thread of samples that do not say of which thread they are. Others are positive. */
  public static final int NO_THREAD = 0;

  /** What a sample tells. */
  public enum Kind {
    CPU,
    /** On CPU or ready. */
    RUNNABLE,
    /** A wait for one period. */
    WAIT,
    /** A wait from its begin to its end. */
    WHOLE_WAIT,
    /** The same in a process of which no period of waits is known. It may have its time of end. */
    WHOLE_WAIT_OF_ANY_PERIOD,
    LOCK;

    private boolean isWhole() {
      return this == WHOLE_WAIT || this == WHOLE_WAIT_OF_ANY_PERIOD;
    }

    private boolean mayHaveTimeOfEnd() {
      return this == LOCK || this == WHOLE_WAIT_OF_ANY_PERIOD;
    }
  }

  private final long start;
  private final long end;
  private final boolean clocksDiffer;
  private final Intervals stops;

  private final List<Measured> spans = new ArrayList<>();
  private final List<Kind> kinds = new ArrayList<>();
  private final List<Part> parts = new ArrayList<>();
  private final IntArrayList threads = new IntArrayList();
  private final LongArrayList times = new LongArrayList();
  private final LongArrayList counts = new LongArrayList();
  private final LongArrayList amounts = new LongArrayList();
  private final LongArrayList periods = new LongArrayList();

  /**
   * @param clocksDiffer whether the times of the samples do not fit the request's
   * @param stops of the process of the request, which are not known if clocks differ
   */
  public RequestSamples(long start, long end, boolean clocksDiffer, Intervals stops) {
    this.start = start;
    this.end = end;
    this.clocksDiffer = clocksDiffer;
    this.stops = clocksDiffer ? new Intervals() : stops;
  }

  /**
   * Adds a sample of a span of the request.
   *
   * @param part why it waits, if it is a wait
   * @param time 0 if it is unknown
   * @param period of samples on CPU
   */
  public void add(
      Measured span,
      Kind kind,
      Part part,
      int thread,
      long time,
      long count,
      long amount,
      long period) {
    spans.add(span);
    kinds.add(kind);
    parts.add(part);
    threads.add(thread);
    times.add(time);
    counts.add(count);
    amounts.add(amount);
    periods.add(period);
  }

  /** Adds to each span what its samples have of the time of the request, after all were added. */
  public void measure() {
    int size = spans.size();
    long[] begins = new long[size];
    long[] ends = new long[size];
    double[] kept = new double[size];
    int[] shared = new int[size];
    int sharing = 0;
    for (int i = 0; i < size; i++) {
      kept[i] = interval(i, begins, ends);
      if (kept[i] > 0 && begins[i] < ends[i]) {
        shared[sharing++] = i;
      }
    }
    shared = IntArrays.trim(shared, sharing);
    int[] ofShared = threads(shared, begins, ends);
    boolean several = differ(ofShared);
    if (several) {
      share(shared, ofShared, begins, ends, kept);
    }
    for (int i = 0; i < size; i++) {
      if (kept[i] > 0) {
        add(i, Math.round(kept[i]));
      }
    }
    if (several) {
      spans.stream().filter(span -> !span.isEmpty()).forEach(Measured::ofSeveralThreads);
    }
  }

  private static boolean differ(int[] numbers) {
    for (int number : numbers) {
      if (number != numbers[0]) {
        return true;
      }
    }
    return false;
  }

  /** Sets the interval of a sample, if its time is known. Returns how much of it counts. */
  private double interval(int i, long[] begins, long[] ends) {
    Kind kind = kinds.get(i);
    long amount = amounts.getLong(i);
    long time = times.getLong(i);
    if (time == 0) {
      return kind.isWhole() ? Math.min(amount, end - start) : amount;
    }
    if (!kind.isWhole() && kind != Kind.LOCK) {
      if (time > end && !clocksDiffer) {
        return 0;
      }
      begins[i] = time - amount / 2;
      ends[i] = begins[i] + amount;
      return stops.contains(time) ? 0 : amount;
    }
    begins[i] = time;
    ends[i] = time + amount;
    if (!clocksDiffer) {
      // Some profilers have the time of the end of a wait.
      boolean ended = kind.mayHaveTimeOfEnd() && time + amount > end && time - amount >= start;
      begins[i] = ended ? time - amount : Math.max(time, start);
      ends[i] = Math.min(begins[i] + amount, end);
    }
    return Math.max(0, ends[i] - begins[i]) - stops.within(begins[i], ends[i]);
  }

  /**
   * Returns the threads of samples, and shortens the intervals of those on CPU that may be of a
   * virtual thread, whose whole waits have no thread, so that it takes nothing from its own.
   */
  private int[] threads(int[] shared, long[] begins, long[] ends) {
    WaitsOfAnyThread waits = new WaitsOfAnyThread();
    int[] found = new int[shared.length];
    IntArrayList ofWaits = new IntArrayList();
    for (int n = 0; n < shared.length; n++) {
      int i = shared[n];
      found[n] = threads.getInt(i);
      if (kinds.get(i).isWhole() && found[n] == NO_THREAD) {
        waits.add(begins[i], ends[i]);
        ofWaits.add(n);
      }
    }
    if (ofWaits.isEmpty()) {
      return found;
    }
    waits.sort();
    int[] threadsOfWaits = waits.threads();
    for (int wait = 0; wait < threadsOfWaits.length; wait++) {
      // The first one is also that of other samples without a thread.
      found[ofWaits.getInt(wait)] = NO_THREAD - threadsOfWaits[wait];
    }
    for (int i : shared) {
      if (kinds.get(i) == Kind.CPU || kinds.get(i) == Kind.RUNNABLE) {
        long time = times.getLong(i);
        long begin = Math.min(waits.after(begins[i], time), time);
        ends[i] = Math.max(waits.before(ends[i], time), time + 1);
        begins[i] = begin;
      }
    }
    return found;
  }

  private void share(int[] shared, int[] ofShared, long[] begins, long[] ends, double[] kept) {
    Sharing sharing = new Sharing();
    for (int n = 0; n < shared.length; n++) {
      sharing.add(ofShared[n], layer(shared[n]), begins[shared[n]], ends[shared[n]]);
    }
    double[] left = sharing.kept();
    for (int n = 0; n < shared.length; n++) {
      kept[shared[n]] *= left[n] / (ends[shared[n]] - begins[shared[n]]);
    }
  }

  private Sharing.Layer layer(int i) {
    boolean forThread = parts.get(i) == Part.THREAD;
    return switch (kinds.get(i)) {
      case CPU -> Sharing.Layer.CPU;
      case RUNNABLE -> Sharing.Layer.RUNNABLE;
      case LOCK -> forThread ? Sharing.Layer.LOCK_FOR_THREAD : Sharing.Layer.LOCK;
      default -> forThread ? Sharing.Layer.WAIT_FOR_THREAD : Sharing.Layer.WAIT;
    };
  }

  private void add(int i, long nanos) {
    Measured span = spans.get(i);
    Part part = parts.get(i);
    long count = counts.getLong(i);
    // The time of stops is known without what waited for their end.
    Part ofWait = part == Part.STOPPED && stops.isKnown() ? Part.OTHER_WAIT : part;
    switch (kinds.get(i)) {
      case CPU -> {
        span.estimate(Part.CPU, count, nanos);
        span.period(periods.getLong(i));
      }
      case RUNNABLE -> {
        span.estimate(Part.READY, count, nanos);
        span.period(nanos);
      }
      case LOCK -> span.lock(part.isKnownWait() ? part : Part.LOCK, count, nanos);
      case WAIT -> {
        span.estimate(ofWait, count, nanos);
        span.period(amounts.getLong(i));
      }
      default -> span.exact(ofWait, nanos);
    }
  }
}

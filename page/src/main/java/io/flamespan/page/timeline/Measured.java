/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.timeline;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was measured of a request, of a span, or of several requests: sums that are not scaled, so
 * that they can be added. Waits that samples of locks tell are kept apart from other waits, which
 * contain them.
 */
public final class Measured {
  private static final double[] NONE = {};
  private static final int PARTS = Part.values().length;
  private static final double QUANTILE = 1.96; // of 95 %

  // Few have samples of many parts. The number of a part, or of one by locks after all others.
  private byte[] slots = new byte[2];
  private long[] estimates = new long[2];
  private int[] counts = new int[2];
  private double[] squares = NONE; // of the estimates of requests, if it is a sum
  private int size;
  private long @Nullable [] exact;
  private @Nullable Map<String, Long> causes;
  private @Nullable Map<Held, Long> held;
  private boolean ofSeveralThreads;
  private long requests = 1;
  private long durationNanos;
  private long periodNanos;

  public Measured(long durationNanos) {
    this.durationNanos = durationNanos;
  }

  /** The sum of several requests, of which each is added. */
  public static Measured sum() {
    Measured sum = new Measured(0);
    sum.requests = 0;
    sum.squares = new double[2];
    return sum;
  }

  private int place(int slot) {
    for (int place = 0; place < size; place++) {
      if (slots[place] == slot) {
        return place;
      }
    }
    return -1;
  }

  private int addTo(int slot, long count, long nanos) {
    int place = place(slot);
    if (place < 0) {
      place = size++;
      if (size > slots.length) {
        slots = Arrays.copyOf(slots, 2 * size);
        estimates = Arrays.copyOf(estimates, 2 * size);
        counts = Arrays.copyOf(counts, 2 * size);
        squares = squares.length == 0 ? squares : Arrays.copyOf(squares, 2 * size);
      }
      slots[place] = (byte) slot;
    }
    estimates[place] += nanos;
    counts[place] += (int) count;
    return place;
  }

  /** Adds what samples estimate. Of {@link Part#READY}, it is time on CPU and ready. */
  public void estimate(Part part, long count, long nanos) {
    if (nanos != 0) {
      addTo(part.ordinal(), count, nanos);
    }
  }

  /** Adds what samples of locks tell. */
  public void lock(Part part, long count, long nanos) {
    addTo(PARTS + part.ordinal(), count, nanos);
  }

  public void exact(Part part, long nanos) {
    if (exact == null) {
      exact = new long[PARTS];
    }
    exact[part.ordinal()] += nanos;
  }

  /** Leaves out what samples estimate of a part whose amount is exact. */
  private void replace(Part part, long nanos) {
    int place = place(part.ordinal());
    if (place >= 0) {
      estimates[place] = 0;
      counts[place] = 0;
    }
    exact(part, nanos - exact(part));
  }

  /**
   * Adds what is known by time, after all samples.
   *
   * @param runnable whether there are samples of threads on CPU or ready
   */
  public void addTimes(
      long start, long end, Intervals stops, Intervals throttling, boolean runnable, Exact times) {
    long stopped = stops.within(start, end);
    if (stopped > 0) {
      exact(Part.STOPPED, stopped);
      stops.causes(start, end, this::cause);
    }
    estimate(Part.THROTTLED, 0, throttled(throttling.within(start, end), times));
    if (times.stoppedNanos() >= 0) {
      replace(Part.STOPPED, times.stoppedNanos());
    }
    // The next ones are of the thread of the span. Others may have more.
    boolean ofOneThread = times.cpuNanos() >= 0 ? isAllOnCpu(times.cpuNanos()) : !ofSeveralThreads;
    if (times.cpuNanos() >= 0 && ofOneThread) {
      replace(Part.CPU, times.cpuNanos());
    }
    if (runnable) {
      estimate(Part.READY, 0, -estimate(Part.CPU) - exact(Part.CPU));
    }
    if (times.runQueueNanos() >= 0
        && (ofOneThread || times.runQueueNanos() >= estimate(Part.READY))) {
      replace(Part.READY, times.runQueueNanos());
    }
  }

  /** Whether samples tell nothing of another thread on CPU than the one that was measured. */
  private boolean isAllOnCpu(long nanos) {
    double chance = ofSeveralThreads ? 0 : plusMinus(Part.CPU, false);
    return nanos >= estimate(Part.CPU) - (Double.isNaN(chance) ? 0 : chance);
  }

  /** The share of a request in throttling is that of the time in which it could have run. */
  private long throttled(long nanos, Exact times) {
    double measured =
        times.cpuNanos() < 0 || times.runQueueNanos() < 0
            ? 0
            : times.cpuNanos() + times.runQueueNanos();
    double running = Math.max(estimate(Part.READY), measured);
    return Math.round(nanos * Math.min(1, running / Math.max(1, durationNanos)));
  }

  /** Notes for how long a stop of this cause lasted. */
  private void cause(String cause, long nanos) {
    if (!cause.isEmpty() && nanos > 0) {
      causes = causes == null ? new HashMap<>() : causes;
      causes.merge(cause, nanos, Long::sum);
    }
  }

  /** Notes a wait for a lock, by who held it last. */
  public void held(Held one, long nanos) {
    held = held == null ? new HashMap<>() : held;
    held.merge(one, nanos, Long::sum);
  }

  /** For how long there were waits for locks, by who held them last. */
  public Map<Held, Long> held() {
    return held == null ? Map.of() : Collections.unmodifiableMap(held);
  }

  /** The same, the longest ones of it. */
  public List<Map.Entry<Held, Long>> longestHeld(int most) {
    return held().entrySet().stream()
        .sorted(
            Map.Entry.<Held, Long>comparingByValue()
                .reversed()
                .thenComparing(one -> one.getKey().toString()))
        .limit(most)
        .toList();
  }

  /** Notes that a sample stands for this time. */
  public void period(long nanos) {
    periodNanos = Math.max(periodNanos, nanos);
  }

  /** Notes that samples are of several threads. */
  public void ofSeveralThreads() {
    ofSeveralThreads = true;
  }

  /** Adds the samples of another span. */
  public void addSamples(Measured other) {
    for (int place = 0; place < other.size; place++) {
      addTo(other.slots[place], other.counts[place], other.estimates[place]);
    }
    addExact(other);
  }

  private void addExact(Measured other) {
    if (other.exact != null) {
      exact = exact == null ? new long[PARTS] : exact;
      for (int part = 0; part < PARTS; part++) {
        exact[part] += other.exact[part];
      }
    }
    if (other.held != null) {
      other.held.forEach(this::held);
    }
    ofSeveralThreads |= other.ofSeveralThreads;
    periodNanos = Math.max(periodNanos, other.periodNanos);
  }

  /** Forgets all but the duration. */
  public void clear() {
    size = 0;
    exact = null;
    held = null;
  }

  /** Adds another request, or several of them. */
  public void add(Measured other) {
    for (int of = 0; of < other.size; of++) {
      int place = addTo(other.slots[of], other.counts[of], other.estimates[of]);
      squares[place] += other.squares(of);
    }
    addExact(other);
    if (other.causes != null) {
      other.causes.forEach((cause, nanos) -> cause(cause, nanos));
    }
    requests += other.requests;
    durationNanos += other.durationNanos;
  }

  private double squares(int place) {
    return squares.length == 0 ? (double) estimates[place] * estimates[place] : squares[place];
  }

  /** Where a sum is from. */
  public enum Source {
    SAMPLES("samples"),
    LOCKS("locks"),
    EXACT("exact");

    private final String key;

    Source(String key) {
      this.key = key;
    }

    /** The name in files. */
    public String key() {
      return key;
    }
  }

  /**
   * One of the sums.
   *
   * @param count of the samples
   * @param squares the sum of the squares of what requests have
   */
  public record Sum(Part part, Source source, long nanos, long count, double squares) {}

  /** All sums of requests. Exact ones are without counts and squares. */
  public List<Sum> sums() {
    List<Sum> sums = new ArrayList<>();
    for (int place = 0; place < size; place++) {
      boolean ofLocks = slots[place] >= PARTS;
      Part part = Part.values()[slots[place] % PARTS];
      Source source = ofLocks ? Source.LOCKS : Source.SAMPLES;
      sums.add(new Sum(part, source, estimates[place], counts[place], squares(place)));
    }
    for (Part part : Part.values()) {
      if (exact(part) != 0) {
        sums.add(new Sum(part, Source.EXACT, exact(part), 0, 0));
      }
    }
    return sums;
  }

  public long requests() {
    return requests;
  }

  public long durationNanos() {
    return durationNanos;
  }

  /** The longest time for which one of the samples stands, 0 without any. */
  public long periodNanos() {
    return periodNanos;
  }

  public boolean isEmpty() {
    return exact == null && size == 0;
  }

  /** The number of samples that estimate a part. */
  public long samples() {
    return Arrays.stream(counts, 0, size).sum();
  }

  long estimate(Part part) {
    return at(part.ordinal());
  }

  long lock(Part part) {
    return at(PARTS + part.ordinal());
  }

  private long at(int slot) {
    int place = place(slot);
    return place < 0 ? 0 : estimates[place];
  }

  public long exact(Part part) {
    return exact == null ? 0 : exact[part.ordinal()];
  }

  /** The cause of more than half of the stops, or the empty string. */
  public String cause() {
    if (causes == null) {
      return "";
    }
    long all = causes.values().stream().mapToLong(nanos -> nanos).sum();
    return causes.entrySet().stream()
        .filter(one -> 2 * one.getValue() > all)
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse("");
  }

  /**
   * How much of what samples estimate may be chance, as docs/internals/statistics.md has it; NaN if
   * that is not known. One long wait is many samples, so waits of one request tell nothing.
   */
  double plusMinus(Part part, boolean ofLocks) {
    int place = place(part.ordinal() + (ofLocks ? PARTS : 0));
    double sum = place < 0 ? 0 : estimates[place];
    boolean independent = part == Part.CPU && place >= 0 && counts[place] > 0;
    double ofSamples = independent ? sum * sum / counts[place] : 0;
    if (squares.length == 0 || requests < 2) {
      return independent ? QUANTILE * Math.sqrt(ofSamples) : Double.NaN;
    }
    double ofRequests = place < 0 ? 0 : squares[place] - sum * sum / requests;
    return QUANTILE * Math.sqrt(Math.max(ofSamples, ofRequests));
  }
}

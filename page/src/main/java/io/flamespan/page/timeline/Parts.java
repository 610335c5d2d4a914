/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.timeline;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The parts of a duration as they are shown: not negative, and with the duration as their sum. */
public final class Parts {

  /**
   * One of them.
   *
   * @param plusMinus of the amount, NaN if it is exact or this is not known
   */
  public record Amount(Part part, long nanos, double plusMinus) {
    public boolean hasPlusMinus() {
      return !Double.isNaN(plusMinus);
    }
  }

  private static final Part[] PARTS = Part.values();
  private static final Part[] SAMPLED = {Part.STOPPED, Part.CPU, Part.READY}; // beside waits

  private final long durationNanos;
  private final Amount[] amounts = new Amount[PARTS.length];

  private Parts(long durationNanos) {
    this.durationNanos = durationNanos;
  }

  /** Of one request or span. Samples that stand for longer than it takes tell only of its kind. */
  public static Parts ofOne(Measured measured) {
    return of(measured, measured.durationNanos() < measured.periodNanos());
  }

  /** Of the sum of requests. */
  public static Parts of(Measured measured) {
    return of(measured, false);
  }

  private static Parts of(Measured measured, boolean onlyExact) {
    Parts parts = new Parts(measured.durationNanos());
    double[] exact = new double[PARTS.length];
    double[] estimated = onlyExact ? new double[PARTS.length] : estimates(measured);
    double exactSum = 0;
    double estimatedSum = 0;
    for (int part = 0; part < PARTS.length; part++) {
      exact[part] = Math.max(0, measured.exact(PARTS[part]));
      exactSum += exact[part];
      estimatedSum += estimated[part];
    }
    double whole = parts.durationNanos;
    double ofStops = Math.max(0, measured.exact(Part.STOPPED));
    double stopped = Math.min(whole, ofStops);
    double others = exactSum - ofStops;
    double ofOthers = others > whole - stopped ? (whole - stopped) / others : 1;
    for (int part = 0; part < PARTS.length; part++) {
      exact[part] = PARTS[part] == Part.STOPPED ? stopped : exact[part] * ofOthers;
    }
    double room = Math.max(0, whole - stopped - others);
    double ofEstimated = estimatedSum > room ? room / estimatedSum : 1;
    split(exact, estimated, measured.estimate(Part.THROTTLED));
    double passed = 0;
    long before = 0;
    for (Part part : PARTS) {
      double estimate = estimated[part.ordinal()] * ofEstimated;
      passed += exact[part.ordinal()] + estimate;
      long end = Math.min(parts.durationNanos, Math.round(passed));
      double plusMinus = estimate > 0 ? plusMinus(measured, part) * ofEstimated : Double.NaN;
      if (part == Part.NOT_KNOWN) {
        end = parts.durationNanos;
        plusMinus = Double.NaN;
      }
      parts.amounts[part.ordinal()] = new Amount(part, end - before, plusMinus);
      before = end;
    }
    return parts;
  }

  /** What samples tell of each part, but for what is throttled. Waits contain those for locks. */
  private static double[] estimates(Measured measured) {
    double[] estimated = new double[PARTS.length];
    for (Part part : SAMPLED) {
      estimated[part.ordinal()] = Math.max(0, measured.estimate(part));
    }
    double more = 0; // locks that are no known waits, so that they are waits of unknown reason
    for (Part part : Part.WAITS) {
      double waits = measured.estimate(part);
      double locks = Math.max(0, measured.lock(part) - measured.exact(part));
      estimated[part.ordinal()] = Math.max(waits, locks);
      more += Math.max(0, locks - waits);
    }
    estimated[Part.OTHER_WAIT.ordinal()] -= Math.min(more, measured.estimate(Part.OTHER_WAIT));
    return estimated;
  }

  /** Of what is ready, as much is throttled as there was throttling meanwhile. */
  private static void split(double[] exact, double[] estimated, double throttling) {
    double left = Math.max(0, throttling);
    for (double[] of : new double[][] {exact, estimated}) {
      double throttled = Math.min(of[Part.READY.ordinal()], left);
      of[Part.READY.ordinal()] -= throttled;
      of[Part.THROTTLED.ordinal()] = throttled;
      left -= throttled;
    }
  }

  private static double plusMinus(Measured measured, Part part) {
    if (part == Part.THROTTLED || part == Part.STOPPED) {
      return Double.NaN;
    }
    boolean ofLocks = part.isWait() && measured.lock(part) > measured.estimate(part);
    return measured.plusMinus(part, ofLocks);
  }

  public long durationNanos() {
    return durationNanos;
  }

  public Amount get(Part part) {
    return amounts[part.ordinal()];
  }

  public long nanos(Part part) {
    return get(part).nanos();
  }

  public long waitingNanos() {
    return Part.WAITS.stream().mapToLong(this::nanos).sum();
  }

  /** Those that are not 0, the largest first. */
  public List<Amount> sorted() {
    List<Amount> sorted = new ArrayList<>(List.of(amounts));
    sorted.removeIf(one -> one.nanos() == 0);
    sorted.sort(Comparator.comparingLong((Amount one) -> -one.nanos()));
    return sorted;
  }

  /** What each of so many requests has on average. */
  public Parts mean(long requests) {
    Parts mean = new Parts(Math.round((double) durationNanos / requests));
    long passed = 0;
    long before = 0;
    for (Amount one : amounts) {
      passed += one.nanos();
      long end = Math.round((double) passed / requests);
      mean.amounts[one.part().ordinal()] =
          new Amount(one.part(), end - before, one.plusMinus() / requests);
      before = end;
    }
    return mean;
  }
}

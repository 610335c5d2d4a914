/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.timeline;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

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

  private final long durationNanos;
  private final Map<Part, Amount> amounts = new EnumMap<>(Part.class);

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
    Map<Part, Double> exact = new EnumMap<>(Part.class);
    Map<Part, Double> estimated = onlyExact ? new EnumMap<>(Part.class) : estimates(measured);
    double exactSum = 0;
    for (Part part : Part.values()) {
      double amount = Math.max(0, measured.exact(part));
      exact.put(part, amount);
      exactSum += amount;
    }
    double estimatedSum = estimated.values().stream().mapToDouble(Double::doubleValue).sum();
    double whole = parts.durationNanos;
    double ofStops = Math.max(0, measured.exact(Part.STOPPED));
    double stopped = Math.min(whole, ofStops);
    double others = exactSum - ofStops;
    double ofOthers = others > whole - stopped ? (whole - stopped) / others : 1;
    exact.replaceAll((part, amount) -> part == Part.STOPPED ? stopped : amount * ofOthers);
    double room = Math.max(0, whole - stopped - others);
    double ofEstimated = estimatedSum > room ? room / estimatedSum : 1;
    split(exact, estimated, measured.estimate(Part.THROTTLED));
    double passed = 0;
    long before = 0;
    for (Part part : Part.values()) {
      double estimate = estimated.getOrDefault(part, 0.0) * ofEstimated;
      passed += exact.getOrDefault(part, 0.0) + estimate;
      long end = Math.min(parts.durationNanos, Math.round(passed));
      double plusMinus = estimate > 0 ? plusMinus(measured, part) * ofEstimated : Double.NaN;
      if (part == Part.NOT_KNOWN) {
        end = parts.durationNanos;
        plusMinus = Double.NaN;
      }
      parts.amounts.put(part, new Amount(part, end - before, plusMinus));
      before = end;
    }
    return parts;
  }

  /** What samples tell of each part, but for what is throttled. Waits contain those for locks. */
  private static Map<Part, Double> estimates(Measured measured) {
    Map<Part, Double> estimated = new EnumMap<>(Part.class);
    for (Part part : List.of(Part.STOPPED, Part.CPU, Part.READY)) {
      estimated.put(part, (double) Math.max(0, measured.estimate(part)));
    }
    double more = 0; // locks that are no known waits, so that they are waits of unknown reason
    for (Part part : Part.WAITS) {
      double waits = measured.estimate(part);
      double locks = Math.max(0, measured.lock(part) - measured.exact(part));
      estimated.put(part, Math.max(waits, locks));
      more += Math.max(0, locks - waits);
    }
    estimated.merge(
        Part.OTHER_WAIT, -Math.min(more, measured.estimate(Part.OTHER_WAIT)), Double::sum);
    return estimated;
  }

  /** Of what is ready, as much is throttled as there was throttling meanwhile. */
  private static void split(
      Map<Part, Double> exact, Map<Part, Double> estimated, double throttling) {
    double left = Math.max(0, throttling);
    for (Map<Part, Double> of : List.of(exact, estimated)) {
      double ready = of.getOrDefault(Part.READY, 0.0);
      double throttled = Math.min(ready, left);
      of.put(Part.READY, ready - throttled);
      of.put(Part.THROTTLED, throttled);
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

  @SuppressWarnings("NullAway") // there is one for each part
  public Amount get(Part part) {
    return amounts.get(part);
  }

  public long nanos(Part part) {
    return get(part).nanos();
  }

  public long waitingNanos() {
    return Part.WAITS.stream().mapToLong(this::nanos).sum();
  }

  /** Those that are not 0, the largest first. */
  public List<Amount> sorted() {
    List<Amount> sorted = new ArrayList<>(amounts.values());
    sorted.removeIf(one -> one.nanos() == 0);
    sorted.sort(Comparator.comparingLong((Amount one) -> -one.nanos()));
    return sorted;
  }

  /** What each of so many requests has on average. */
  public Parts mean(long requests) {
    Parts mean = new Parts(Math.round((double) durationNanos / requests));
    long passed = 0;
    long before = 0;
    for (Amount one : amounts.values()) {
      passed += one.nanos();
      long end = Math.round((double) passed / requests);
      mean.amounts.put(
          one.part(), new Amount(one.part(), end - before, one.plusMinus() / requests));
      before = end;
    }
    return mean;
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.gate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * By how much runs of the same code differ beyond what the judged endpoint tells.
 *
 * @param error the standard error of the logarithm of B / A that it adds
 * @param freedom its degrees of freedom
 */
record BetweenRuns(double error, double freedom) {
  static final BetweenRuns NONE = new BetweenRuns(0, Double.POSITIVE_INFINITY);

  /** The standard deviation of a run's costs at least, as a share. */
  static final double LEAST = 0.05;

  /** The same of one run if no other endpoint tells it. */
  static final double ALONE = 0.25;

  /** The median of a normal distribution's absolute values, by its standard deviation. */
  private static final double MEDIAN = 0.6745;

  /** How many values tell a standard deviation as precisely as one tells by the median. */
  private static final double OF_MEDIAN = 0.37;

  /**
   * How an endpoint differs.
   *
   * @param change the absolute logarithm of B / A; NaN if it does not tell how runs differ
   * @param ofRun see {@link Side#betweenRuns}, of both sides; NaN if none has several runs
   * @param freedom its degrees of freedom
   * @param weight the share of the amount
   */
  record Seen(double change, double ofRun, double freedom, double weight) {
    static Seen of(Side a, Side b, double weight) {
      double change = Math.abs(Math.log(b.mean() / a.mean()));
      boolean tells =
          Math.min(a.requests(), b.requests()) >= Gate.LEAST_REQUESTS && Double.isFinite(change);
      double freedomA = a.runs() > 1 ? a.freedom() : 0;
      double freedomB = b.runs() > 1 ? b.freedom() : 0;
      double ofA = freedomA > 0 ? freedomA * a.betweenRuns() : 0;
      double ofB = freedomB > 0 ? freedomB * b.betweenRuns() : 0;
      double freedom = freedomA + freedomB;
      return new Seen(tells ? change : Double.NaN, (ofA + ofB) / freedom, freedom, weight);
    }
  }

  /**
   * Of fewer runs than tell it: as those of the other endpoints do and, with one on a side, as
   * these differ by their median, so that half of them may have changed.
   */
  static BetweenRuns beside(Seen judged, List<Seen> all, int runsOfA, int runsOfB) {
    List<Seen> others = new ArrayList<>(all);
    others.remove(judged);
    others.removeIf(one -> !(one.weight > 0));
    BetweenRuns ofRuns = ofRuns(others, 1.0 / runsOfA + 1.0 / runsOfB);
    if (Math.min(runsOfA, runsOfB) > 1) {
      return ofRuns;
    }
    BetweenRuns ofOne = ofOne(others);
    return ofOne.error > ofRuns.error ? ofOne : ofRuns;
  }

  /** As runs of an endpoint may differ far more than those of another, each tells little. */
  private static BetweenRuns ofRuns(List<Seen> others, double times) {
    List<Seen> known = others.stream().filter(one -> Double.isFinite(one.ofRun)).toList();
    double variance = mean(known, Seen::ofRun);
    return variance > 0
        ? new BetweenRuns(
            Math.sqrt(variance * times), number(known) - 1 + mean(known, Seen::freedom))
        : NONE;
  }

  private static BetweenRuns ofOne(List<Seen> others) {
    List<Seen> known =
        others.stream()
            .filter(one -> !Double.isNaN(one.change))
            .sorted(Comparator.comparingDouble(Seen::change))
            .toList();
    double whole = known.stream().mapToDouble(Seen::weight).sum();
    double median = 0;
    double below = 0;
    for (Seen one : known) {
      median = below < whole / 2 ? one.change : median;
      below += one.weight;
    }
    if (known.isEmpty()) {
      return new BetweenRuns(Math.sqrt(2) * ALONE, Double.POSITIVE_INFINITY);
    }
    double least = Math.sqrt(2) * LEAST;
    double seen = median / MEDIAN;
    return new BetweenRuns(
        Math.max(least, seen), 1 + number(known) * (seen > least ? OF_MEDIAN : 1));
  }

  private static double mean(List<Seen> all, ToDoubleFunction<Seen> value) {
    double sum = all.stream().mapToDouble(one -> one.weight * value.applyAsDouble(one)).sum();
    return sum / all.stream().mapToDouble(Seen::weight).sum();
  }

  /** As many of equal weights tell as much. */
  private static double number(List<Seen> all) {
    double sum = all.stream().mapToDouble(Seen::weight).sum();
    return sum * sum / all.stream().mapToDouble(one -> one.weight * one.weight).sum();
  }
}

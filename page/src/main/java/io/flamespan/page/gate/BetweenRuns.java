/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.gate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * By how much runs of the same code may differ if one is given on each side: by 5 %, or by as much
 * as the endpoints do beside the judged one, as on a machine that other work has slowed down. It is
 * the median of the others, so that half of them may have changed.
 *
 * @param error the standard error of the logarithm of B / A that it adds; 0 if runs are compared
 * @param freedom its degrees of freedom, which are few if few other endpoints tell it
 */
record BetweenRuns(double error, double freedom) {
  static final BetweenRuns NONE = new BetweenRuns(0, Double.POSITIVE_INFINITY);

  /** The standard deviation of a run's costs at least, as a share. */
  static final double LEAST = 0.05;

  /** The median of a normal distribution's absolute values, by its standard deviation. */
  private static final double MEDIAN = 0.6745;

  /** How many values tell a standard deviation as precisely as one tells by the median. */
  private static final double OF_MEDIAN = 0.37;

  /**
   * How an endpoint differs.
   *
   * @param change the absolute logarithm of B / A
   * @param weight the share of the amount
   */
  record Seen(double change, double weight) {
    /** Its change is NaN if that does not tell how runs differ. */
    static Seen of(Side a, Side b, double weight) {
      double change = Math.abs(Math.log(b.mean() / a.mean()));
      boolean tells =
          Math.min(a.requests(), b.requests()) >= Gate.LEAST_REQUESTS && Double.isFinite(change);
      return new Seen(tells ? change : Double.NaN, weight);
    }
  }

  static BetweenRuns beside(Seen judged, List<Seen> all) {
    List<Seen> others = new ArrayList<>(all);
    others.remove(judged);
    others.removeIf(one -> Double.isNaN(one.change) || !(one.weight > 0));
    others.sort(Comparator.comparingDouble(Seen::change));
    double whole = others.stream().mapToDouble(Seen::weight).sum();
    double squares = others.stream().mapToDouble(one -> one.weight * one.weight).sum();
    double median = 0;
    double below = 0;
    for (Seen one : others) {
      median = below < whole / 2 ? one.change : median;
      below += one.weight;
    }
    double least = Math.sqrt(2) * LEAST;
    double seen = median / MEDIAN;
    double number = whole > 0 ? whole * whole / squares : 0;
    return new BetweenRuns(Math.max(least, seen), 1 + number * (seen > least ? OF_MEDIAN : 1));
  }
}

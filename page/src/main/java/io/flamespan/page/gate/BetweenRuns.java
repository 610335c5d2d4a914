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

  /**
   * How an endpoint differs by more than its requests do.
   *
   * @param change the absolute logarithm of B / A, without what chance adds
   * @param weight the share of the amount
   */
  record Seen(double change, double weight) {
    /** Its change is NaN if that does not tell how runs differ. */
    static Seen of(Side a, Side b, double weight) {
      double change = Math.log(b.mean() / a.mean());
      double chance = a.variance() / (a.mean() * a.mean()) + b.variance() / (b.mean() * b.mean());
      boolean tells =
          Math.min(a.requests(), b.requests()) >= Gate.LEAST_REQUESTS && Double.isFinite(change);
      return new Seen(
          tells ? Math.sqrt(Math.max(0, change * change - chance)) : Double.NaN, weight);
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
    return new BetweenRuns(
        Math.max(Math.sqrt(2) * LEAST, median / MEDIAN),
        1 + (whole > 0 ? whole * whole / squares : 0));
  }
}

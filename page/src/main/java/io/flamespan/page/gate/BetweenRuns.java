/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.gate;

/**
 * By how much runs of the same code may differ if one is given on each side: by 5 %, or by as much
 * as the endpoints do beside the judged one, as on a machine that other work has slowed down.
 */
final class BetweenRuns {
  /** The standard deviation of a run's costs, as a share. */
  static final double LEAST = 0.05;

  private double squares; // of the logarithm of B / A, by weight
  private double weights;

  /** Adds an endpoint with a share of the amount. */
  void add(Side a, Side b, double weight) {
    double change = change(a, b);
    if (Double.isFinite(change)) {
      squares += weight * change * change;
      weights += weight;
    }
  }

  private static double change(Side a, Side b) {
    return Math.log(b.mean() / a.mean());
  }

  /** The standard error of a difference, without what this endpoint has added. */
  double beside(Side a, Side b, double weight) {
    double change = change(a, b);
    boolean isAdded = Double.isFinite(change);
    double ofOthers = isAdded ? squares - weight * change * change : squares;
    double weightOfOthers = isAdded ? weights - weight : weights;
    double seen = weightOfOthers > 0 ? Math.sqrt(Math.max(0, ofOthers) / weightOfOthers) : 0;
    return Math.max(Math.sqrt(2) * LEAST, seen);
  }
}

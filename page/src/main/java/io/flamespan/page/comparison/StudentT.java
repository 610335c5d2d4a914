/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.comparison;

/** Student's t distribution. */
public final class StudentT {
  private static final double LARGEST = 1e9;

  private StudentT() {}

  /** How often a value with so many degrees of freedom is at least this. */
  public static double tail(double value, double freedom) {
    double outer = Chance.beta(freedom / (freedom + value * value), freedom / 2, 0.5) / 2;
    return value < 0 ? 1 - outer : outer;
  }

  /** The value that is exceeded so often, at most one time in two. */
  public static double quantile(double level, double freedom) {
    double low = 0;
    double high = 1;
    while (tail(high, freedom) > level && high < LARGEST) {
      low = high;
      high *= 2;
    }
    while (high - low > 1e-9 * high) {
      double middle = (low + high) / 2;
      if (tail(middle, freedom) > level) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }
}

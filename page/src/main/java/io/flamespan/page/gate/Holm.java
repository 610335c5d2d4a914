/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.gate;

import java.util.Comparator;
import java.util.stream.IntStream;

/** Holm's procedure with weights. docs/internals/statistics.md has the source. */
final class Holm {
  private Holm() {}

  /**
   * The level of each row, so that all together have a false verdict at most so often. A row is
   * rejected if its probability is at most its level.
   */
  static double[] levels(double[] probabilities, double[] weights, double all) {
    double[] levels = new double[weights.length];
    int[] order =
        IntStream.range(0, weights.length)
            .boxed()
            .sorted(Comparator.comparingDouble(row -> probabilities[row] / weights[row]))
            .mapToInt(row -> row)
            .toArray();
    double remaining = 0;
    for (double weight : weights) {
      remaining += weight;
    }
    boolean rejecting = true;
    for (int row : order) {
      levels[row] = all * weights[row] / remaining;
      rejecting &= probabilities[row] <= levels[row];
      remaining -= rejecting ? weights[row] : 0;
    }
    return levels;
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.results;

/** Sums of samples, by their stacks. Several rows may have the same stack. */
@FunctionalInterface
public interface StackRows {
  void forEach(Visitor visitor);

  /** Receives the rows. */
  @FunctionalInterface
  interface Visitor {
    /**
     * Receives a row.
     *
     * @param stack a node of the {@link StackTree}
     * @param bin the number of the bin of time, or -1, as flame graphs of all bins do not need it
     * @param amount in the unit of the measure
     */
    void row(int stack, int bin, Measure measure, long count, long amount);

    /** Receives the sums of a stack as a row for each measure. */
    default void rows(int stack, int bin, Tally tally) {
      for (Measure measure : Measure.values()) {
        if (tally.count(measure) != 0 || tally.amount(measure) != 0) {
          row(stack, bin, measure, tally.count(measure), tally.amount(measure));
        }
      }
    }
  }
}

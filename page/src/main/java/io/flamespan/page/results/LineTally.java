/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.results;

import java.util.Comparator;
import java.util.List;

/** The samples that were found in this line of a function, not below it. */
public record LineTally(Frame frame, int line, Tally tally) {

  /**
   * Returns the lines of a graph in their order: those with the largest share of any measure first.
   */
  public static List<LineTally> sorted(List<LineTally> lines) {
    Tally all = new Tally();
    lines.forEach(line -> all.add(line.tally));
    return lines.stream()
        .sorted(
            Comparator.comparingDouble((LineTally one) -> -one.tally.largestShareOf(all))
                .thenComparing(one -> one.frame.name())
                .thenComparingInt(LineTally::line))
        .toList();
  }
}

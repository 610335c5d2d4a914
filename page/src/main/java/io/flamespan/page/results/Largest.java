/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.results;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Chooses the endpoints that are shown alone. */
public final class Largest {
  /** How many a page shows, with the one that sums up the others. */
  public static final int OF_A_PAGE = 200;

  private Largest() {}

  /**
   * Returns those with the largest shares of any measure, in the order of all: all of them or, as
   * the others become one, fewer than so many.
   */
  public static <T> List<T> of(List<T> all, int most, Function<T, Tally> tallyOf) {
    if (all.size() <= most) {
      return all;
    }
    Tally sum = new Tally();
    all.forEach(one -> sum.add(tallyOf.apply(one)));
    Set<Integer> chosen = new HashSet<>();
    IntStream.range(0, all.size())
        .boxed()
        .sorted(
            Comparator.comparingDouble(place -> -tallyOf.apply(all.get(place)).largestShareOf(sum)))
        .limit(most - 1L)
        .forEach(chosen::add);
    return IntStream.range(0, all.size()).filter(chosen::contains).mapToObj(all::get).toList();
  }
}

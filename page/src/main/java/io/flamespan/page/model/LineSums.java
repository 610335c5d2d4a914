/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.model;

import io.flamespan.page.results.LineTally;
import io.flamespan.page.results.Measure;
import io.flamespan.page.results.StackTree;
import io.flamespan.page.results.Tally;
import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import java.util.ArrayList;
import java.util.List;

/** Sums up samples by the line in which stacks end. */
final class LineSums {
  private final Profiles profiles;
  private final Int2ObjectOpenHashMap<Tally> sums = new Int2ObjectOpenHashMap<>();

  LineSums(Profiles profiles) {
    this.profiles = profiles;
  }

  void add(StackSums rows, int row) {
    int location = location(rows.stack(row));
    Measure measure = rows.measure(row);
    if (location >= 0 && profiles.locations().line(location) > 0 && rows.amount(row) > 0) {
      sums.computeIfAbsent(location, of -> new Tally())
          .add(measure, rows.count(row), rows.amount(row));
    }
  }

  /** The line of the method where the stack ends, -1 without one. A class has none of its own. */
  private int location(int stack) {
    StackTree tree = profiles.tree();
    int location = tree.frame(stack);
    if (stack == StackTree.ROOT
        || !profiles.frames().get(profiles.locations().frame(location)).isClass()) {
      return location;
    }
    return tree.frame(tree.parent(stack));
  }

  List<LineTally> sorted() {
    List<LineTally> lines = new ArrayList<>();
    Locations locations = profiles.locations();
    sums.forEach(
        (location, tally) ->
            lines.add(
                new LineTally(
                    profiles.frames().get(locations.frame(location)),
                    locations.line(location),
                    tally)));
    return LineTally.sorted(lines);
  }
}

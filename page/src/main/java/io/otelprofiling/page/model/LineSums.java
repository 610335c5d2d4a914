/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.page.model;

import io.otelprofiling.page.results.LineTime;
import io.otelprofiling.page.results.Measure;
import io.otelprofiling.page.results.StackTree;
import it.unimi.dsi.fastutil.ints.Int2LongOpenHashMap;
import java.util.ArrayList;
import java.util.List;

/** Sums up CPU time by the line in which stacks end. */
final class LineSums {
  private final Profiles profiles;
  private final Int2LongOpenHashMap cpu = new Int2LongOpenHashMap();

  LineSums(Profiles profiles) {
    this.profiles = profiles;
  }

  void add(StackSums sums, int row) {
    int stack = sums.stack(row);
    if (stack != StackTree.ROOT
        && profiles.locations().line(profiles.tree().frame(stack)) > 0
        && sums.measure(row) == Measure.CPU
        && sums.amount(row) > 0) {
      cpu.addTo(profiles.tree().frame(stack), sums.amount(row));
    }
  }

  List<LineTime> sorted() {
    List<LineTime> lines = new ArrayList<>();
    Locations locations = profiles.locations();
    cpu.forEach(
        (location, nanos) ->
            lines.add(
                new LineTime(
                    profiles.frames().get(locations.frame(location)),
                    locations.line(location),
                    nanos)));
    lines.sort(LineTime.LARGEST_FIRST);
    return lines;
  }
}

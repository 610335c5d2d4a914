/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.comparison;

import io.flamespan.page.results.EndpointResult;
import io.flamespan.page.results.FlameTree;
import io.flamespan.page.results.FlameTrees;
import io.flamespan.page.results.Frames;
import io.flamespan.page.results.StackRows;
import io.flamespan.page.results.StackTree;
import io.flamespan.page.results.Tally;
import io.flamespan.page.results.TimeSlices;
import org.jspecify.annotations.Nullable;

/**
 * The flame graphs of an endpoint in two results, merged: bin 0 of the slices is the baseline, bin
 * 1 the other. They are merged before small frames are summed up. Otherwise a frame would look new
 * if the baseline's was too small to be shown.
 */
public final class MergedTrees {
  private static final int DEEP = 50_000; // nodes of each graph before both are merged
  // Two graphs, and below each node possibly one that sums up smaller frames.
  private static final int TIMES_NODES = 4;

  private MergedTrees() {}

  public static TimeSlices of(EndpointChange change, int mostNodes) {
    StackTree stacks = new StackTree(TIMES_NODES * DEEP + 1);
    Frames frames = new Frames();
    StackRows before = selfRows(change.before(), 0, stacks, frames);
    StackRows now = selfRows(change.now(), 1, stacks, frames);
    StackRows both =
        visitor -> {
          before.forEach(visitor);
          now.forEach(visitor);
        };
    return new FlameTrees(stacks, frames)
        .sliced(change.name(), both, bins(change), mostNodes, TIMES_NODES * mostNodes);
  }

  private static TimeSlices.Bins bins(EndpointChange change) {
    TimeSlices.Bins bins = new TimeSlices.Bins(2);
    add(bins, 0, change.before());
    add(bins, 1, change.now());
    return bins;
  }

  private static void add(TimeSlices.Bins bins, int bin, @Nullable EndpointResult endpoint) {
    if (endpoint != null) {
      bins.requests()[bin] = endpoint.requests();
      bins.known()[bin] = endpoint.requests(); // which makes the mean that of the endpoint
      bins.durationNanos()[bin] = Math.round(endpoint.meanNanos() * endpoint.requests());
      bins.samples()[bin] = endpoint.tally().samples();
    }
  }

  /** The samples of the nodes without those below them. */
  private static StackRows selfRows(
      @Nullable EndpointResult endpoint, int bin, StackTree stacks, Frames frames) {
    if (endpoint == null) {
      return visitor -> {};
    }
    FlameTree tree = endpoint.tree(DEEP);
    int[] merged = new int[tree.size()];
    Tally[] self = new Tally[tree.size()];
    for (int node = 0; node < tree.size(); node++) {
      self[node] = tree.tally(node);
      if (node > 0) {
        merged[node] = stacks.child(merged[tree.parent(node)], frames.number(tree.frame(node)));
        self[tree.parent(node)].subtract(self[node]);
      }
    }
    return visitor -> {
      for (int node = 0; node < merged.length; node++) {
        visitor.rows(merged[node], bin, self[node]);
      }
    };
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.output;

import io.flamespan.page.results.Largest;
import io.flamespan.page.results.Measure;
import io.flamespan.page.results.Tally;
import java.util.List;

/** The limits of a page that a browser opens quickly, of about 20 MB at most. */
record PageLimits(
    int timeBins,
    int endpointNodes,
    int requests,
    int sliceNodes,
    int sliceCells,
    int groupNodes,
    int splitNodes,
    int methods,
    int traceNodes) {
  static final int ENDPOINTS = Largest.OF_A_PAGE;
  static final int TIME_BINS = 240;
  static final int SPLIT_ENDPOINTS = 20; // with groups by attributes and parts, and single requests

  private static final int FEWEST_TIME_BINS = 30;
  private static final int NUMBERS_OF_BINS = 600_000;
  private static final int NUMBERS_OF_A_CELL = 4;

  private static final int REQUESTS = 20;
  private static final int REQUESTS_OF_ALL = 2_000;
  private static final int NODES = 200_000;
  private static final int SPANS = 100_000;
  private static final int SLICE_NODES = 50_000;
  private static final int SLICE_CELLS = 170_000;
  private static final int GROUP_NODES = 4_000;
  private static final int SPLIT_NODES = 2_000;
  private static final int METHODS = 500;

  /**
   * What bins have of an endpoint beside its graph.
   *
   * @param numbers of a bin at most
   */
  record OfBins(long requests, int numbers) {
    /** In so many bins, of which some have no request. */
    long numbers(int bins) {
      return Math.min(requests, bins) * numbers;
    }
  }

  /**
   * Graphs have fewer nodes if each has more numbers, of allocation and of locks. The chart has
   * fewer bins if these have many numbers, for which graphs of ranges have fewer cells.
   *
   * @param endpoints all that are shown
   * @param mostBins those of the time of the input, {@link #TIME_BINS} at most
   */
  static PageLimits of(List<OfBins> endpoints, int mostBins, Tally received) {
    int shown = Math.max(1, Math.min(endpoints.size(), ENDPOINTS));
    int bins = mostBins;
    while (bins > FEWEST_TIME_BINS && numbers(endpoints, bins) > NUMBERS_OF_BINS) {
      bins = Math.max(FEWEST_TIME_BINS, bins / 2);
    }
    long cells = SLICE_CELLS - numbers(endpoints, bins) / NUMBERS_OF_A_CELL;
    int more = 0;
    for (Measure measure : List.of(Measure.ALLOC, Measure.LOCK)) {
      more += received.count(measure) > 0 ? 1 : 0;
    }
    int nodes = 2 * NODES / (2 + more);
    return new PageLimits(
        bins,
        Math.min(5_000, nodes / shown),
        Math.min(REQUESTS, REQUESTS_OF_ALL / shown),
        Math.min(1_000, shared(SLICE_NODES, received) / shown),
        Math.min(50_000, shared((int) Math.max(shown, cells), received) / shown),
        Math.min(400, shared(GROUP_NODES, received) / shown),
        Math.min(100, shared(SPLIT_NODES, received) / Math.min(shown, SPLIT_ENDPOINTS)),
        Math.min(100, shared(METHODS, received) / shown),
        nodes);
  }

  private static long numbers(List<OfBins> endpoints, int bins) {
    return endpoints.stream().mapToLong(one -> one.numbers(bins)).sum();
  }

  /** What is left of a limit if each cell has more numbers, of each measure beside CPU time. */
  static int shared(int limit, Tally received) {
    return 2 * limit / (1 + received.measures().size());
  }

  /** Of the graph of a trace, and of its spans' graphs together. */
  int nodesOfATrace(int traces) {
    return Math.min(1_000, traceNodes / Math.max(1, traces));
  }

  static int spansOfATrace(int traces) {
    return Math.min(500, SPANS / Math.max(1, traces));
  }
}

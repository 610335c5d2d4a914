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
    int endpointNodes,
    int requests,
    int sliceNodes,
    int sliceCells,
    int groupNodes,
    int methods,
    int traceNodes) {
  static final int ENDPOINTS = Largest.OF_A_PAGE;
  static final int TIME_BINS = 240;

  private static final int REQUESTS = 20;
  private static final int REQUESTS_OF_ALL = 2_000;
  private static final int NODES = 200_000;
  private static final int SPANS = 100_000;
  private static final int SLICE_NODES = 50_000;
  private static final int SLICE_CELLS = 200_000;
  private static final int GROUP_NODES = 8_000;
  private static final int METHODS = 1_000;

  /** Graphs have fewer nodes if each has more numbers, of allocation and of locks. */
  static PageLimits of(int endpoints, Tally received) {
    int shown = Math.max(1, Math.min(endpoints, ENDPOINTS));
    int more = 0;
    for (Measure measure : List.of(Measure.ALLOC, Measure.LOCK)) {
      more += received.count(measure) > 0 ? 1 : 0;
    }
    int nodes = 2 * NODES / (2 + more);
    return new PageLimits(
        Math.min(5_000, nodes / shown),
        Math.min(REQUESTS, REQUESTS_OF_ALL / shown),
        Math.min(1_000, shared(SLICE_NODES, received) / shown),
        Math.min(50_000, shared(SLICE_CELLS, received) / shown),
        Math.min(500, shared(GROUP_NODES, received) / shown),
        Math.min(100, shared(METHODS, received) / shown),
        nodes);
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

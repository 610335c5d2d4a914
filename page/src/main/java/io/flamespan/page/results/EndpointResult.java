/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.results;

import io.flamespan.page.timeline.Measured;
import io.flamespan.page.timeline.Recorded;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The requests with one span name in one service. All times are in nanoseconds. */
public interface EndpointResult {
  String name();

  /** With its namespace, if it has one; without the instance. */
  String service();

  /** Their number, at least 1. */
  long requests();

  double meanNanos();

  /** By nearest rank. */
  long p99Nanos();

  /** The sum of what was measured of all requests. */
  Measured measured();

  /** Which parts there are samples or exact times of in its service. */
  Recorded recorded();

  /** By how much its requests differ. */
  Spread spread(Measure measure);

  /** By how much its requests differ in methods; empty if that is unknown. */
  Map<Frame, MethodSpread> methods();

  Tally tally();

  /** The samples by line, the largest share of a measure first; empty if the lines are unknown. */
  List<LineTally> lines();

  /** The graph of all requests, with at most so many frames besides sums of smaller ones. */
  FlameTree tree(int mostNodes);

  /**
   * So many of the slowest requests, and of those with the most of each measure. The slowest first,
   * then by trace id.
   */
  List<RequestResult> detailed(int most);

  /** One in each step of the requests that {@link #detailed} leaves out, in the same order. */
  List<Dot> others(int most, int step);

  /** All requests with their stacks. Each call may fetch them. */
  RequestStacks requestStacks();

  /** The same for a page, which asks for those of many endpoints; empty if they are too many. */
  Optional<RequestStacks> stacksForPage();

  /** The CPU time by the start of requests, in at most about so many cells. */
  TimeSlices slices(TimeBins bins, int mostNodes, int mostCells);

  /**
   * A request without its trace.
   *
   * @param traceId 32 hexadecimal digits
   * @param hasDuration whether it is known; it may be 0
   */
  record Dot(
      String traceId,
      long spanId,
      long startNanos,
      boolean hasDuration,
      long durationNanos,
      Tally tally,
      Measured measured) {}
}

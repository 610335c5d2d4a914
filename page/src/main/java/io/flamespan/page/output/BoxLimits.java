/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.output;

import io.flamespan.page.results.EndpointResult;
import io.flamespan.page.results.Measure;
import io.flamespan.page.results.Tally;
import java.util.Arrays;
import java.util.Collection;
import java.util.function.ToLongFunction;

/**
 * What an endpoint has at most of its single requests. Endpoints that need little leave their room
 * to others.
 *
 * @param numbers of what was measured
 * @param cells of the graph
 * @param methodCells amounts of methods
 */
record BoxLimits(int requests, int numbers, int cells, int methodCells) {
  static final int REQUESTS = 10_000;
  static final int NUMBERS = 200_000;
  static final int CELLS = 120_000;
  static final int METHOD_CELLS = 150_000;
  private static final int METHODS_OF_A_SAMPLE = 20; // about, that differ from each other

  static BoxLimits of(Collection<EndpointResult> endpoints, Tally received) {
    return new BoxLimits(
        most(REQUESTS, endpoints, EndpointResult::requests),
        most(
            NUMBERS,
            endpoints,
            one -> one.requests() * (1 + PartsJson.numbersOfABin(one.measured()))),
        most(PageLimits.shared(CELLS, received), endpoints, BoxLimits::samples),
        most(METHOD_CELLS, endpoints, one -> METHODS_OF_A_SAMPLE * samples(one)));
  }

  private static long samples(EndpointResult endpoint) {
    return Arrays.stream(Measure.values()).mapToLong(endpoint.tally()::count).sum();
  }

  private static int most(
      int room, Collection<EndpointResult> endpoints, ToLongFunction<EndpointResult> need) {
    return most(room, endpoints.stream().mapToLong(need).toArray());
  }

  /** What each has at most, so that all together fit into a room. */
  static int most(int room, long[] needs) {
    long[] ascending = Arrays.stream(needs).sorted().toArray();
    long left = room;
    for (int place = 0; place < ascending.length; place++) {
      int others = ascending.length - place;
      if (ascending[place] > left / others) {
        return (int) (left / others);
      }
      left -= ascending[place];
    }
    return room;
  }
}

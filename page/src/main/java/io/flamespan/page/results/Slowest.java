/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.results;

import io.flamespan.page.timeline.Measured;
import java.util.Optional;

/**
 * The slowest requests of an endpoint.
 *
 * @param tree the sum of their graphs
 */
public record Slowest(Measured measured, FlameTree tree) {
  public static final int MOST = 20;

  private static final int NODES = 1_000; // of each

  /** Before they are added. Empty if these are all requests whose durations are known. */
  public static Optional<Slowest> begin(EndpointResult endpoint, int most) {
    return endpoint.measured().requests() <= most
        ? Optional.empty()
        : Optional.of(new Slowest(Measured.sum(), new FlameTree("")));
  }

  /** Empty if these are all requests, or none is known. */
  public static Optional<Slowest> of(EndpointResult endpoint, int most) {
    Optional<Slowest> slowest = begin(endpoint, most);
    if (slowest.isPresent()) {
      endpoint.detailed(most).stream()
          .limit(most)
          .forEach(
              request ->
                  slowest
                      .get()
                      .add(request, request.trace().treeOfRequest(request.spanId(), NODES)));
    }
    return slowest.filter(known -> known.measured.requests() > 0);
  }

  /** Adds one of them, with its graph, if its duration is known. */
  public void add(RequestResult request, FlameTree graph) {
    if (request.hasDuration()) {
      measured.add(request.measured());
      tree.merge(graph);
    }
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.results;

import io.flamespan.page.timeline.Measured;
import java.util.List;
import java.util.Optional;

/**
 * The slowest requests of an endpoint.
 *
 * @param tree the sum of their graphs
 */
public record Slowest(Measured measured, FlameTree tree) {
  public static final int MOST = 20;

  private static final int NODES = 1_000; // of each

  /** Empty if these are all requests. */
  public static Optional<Slowest> of(EndpointResult endpoint, int most) {
    if (endpoint.requests() <= most) {
      return Optional.empty();
    }
    Measured sum = Measured.sum();
    FlameTree tree = new FlameTree("");
    List<RequestResult> slowest = endpoint.detailed(most);
    for (RequestResult request : slowest.subList(0, Math.min(most, slowest.size()))) {
      sum.add(request.measured());
      tree.merge(request.trace().treeOfRequest(request.spanId(), NODES));
    }
    return Optional.of(new Slowest(sum, tree));
  }
}

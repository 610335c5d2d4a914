/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.comparison;

import io.flamespan.page.results.EndpointResult;
import io.flamespan.page.results.Measure;
import io.flamespan.page.results.Results;
import io.flamespan.page.results.Tally;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Two results, endpoint by endpoint.
 *
 * @param changes the endpoint that changed most first: see {@link EndpointChange#impact}, of CPU
 *     time
 */
public record Comparison(Results baseline, Results now, List<EndpointChange> changes) {
  private record Key(String name, String service) {
    static Key of(EndpointResult endpoint) {
      return new Key(endpoint.name(), endpoint.service());
    }
  }

  public static Comparison of(Results baseline, Results now) {
    Map<Key, EndpointResult> before = new LinkedHashMap<>();
    for (EndpointResult endpoint : baseline.endpoints(Integer.MAX_VALUE)) {
      before.put(Key.of(endpoint), endpoint);
    }
    List<EndpointChange> changes = new ArrayList<>();
    Tally received = new Tally();
    received.add(baseline.received());
    received.add(now.received());
    Tally joined = new Tally(); // of all changes, counted while they are found
    EndpointChange.Judged judged = new EndpointChange.Judged(joined, received.measures().size());
    before.values().forEach(endpoint -> joined.add(endpoint.tally()));
    for (EndpointResult endpoint : now.endpoints(Integer.MAX_VALUE)) {
      joined.add(endpoint.tally());
      changes.add(new EndpointChange(before.remove(Key.of(endpoint)), endpoint, judged));
    }
    before.values().forEach(endpoint -> changes.add(new EndpointChange(endpoint, null, judged)));
    changes.sort(
        Comparator.comparingDouble((EndpointChange change) -> -Math.abs(change.impact(Measure.CPU)))
            .thenComparingDouble(change -> -Math.abs(change.meanImpactNanos()))
            .thenComparing(EndpointChange::name)
            .thenComparing(EndpointChange::service));
    return new Comparison(baseline, now, List.copyOf(changes));
  }
}

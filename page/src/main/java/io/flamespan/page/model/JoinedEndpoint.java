/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.model;

import io.flamespan.page.results.EndpointResult;
import io.flamespan.page.results.FlameTree;
import io.flamespan.page.results.Frame;
import io.flamespan.page.results.LineTally;
import io.flamespan.page.results.Measure;
import io.flamespan.page.results.MethodSpread;
import io.flamespan.page.results.MethodSpreads;
import io.flamespan.page.results.OwnCode;
import io.flamespan.page.results.RequestResult;
import io.flamespan.page.results.RequestStacks;
import io.flamespan.page.results.Spread;
import io.flamespan.page.results.Tally;
import io.flamespan.page.results.TimeBins;
import io.flamespan.page.results.TimeSlices;
import io.flamespan.page.timeline.Measured;
import io.flamespan.page.timeline.Recorded;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** An endpoint with its requests in memory. */
record JoinedEndpoint(Endpoint endpoint, JoinedResults results) implements EndpointResult {

  @Override
  public String name() {
    return endpoint.name();
  }

  @Override
  public String service() {
    return endpoint.service();
  }

  @Override
  public long requests() {
    return endpoint.requests().size();
  }

  @Override
  public double meanNanos() {
    return endpoint.meanNanos();
  }

  @Override
  public long p99Nanos() {
    return endpoint.p99Nanos();
  }

  @Override
  public Measured measured() {
    return results.measured(endpoint);
  }

  @Override
  public Spread spread(Measure measure) {
    return endpoint.spread(measure);
  }

  @Override
  public Map<Frame, MethodSpread> methods() {
    RequestStacks stacks = results.stacks(endpoint);
    MethodSpreads spreads = new MethodSpreads(stacks);
    stacks.methods(MethodSpreads.COLUMNS, OwnCode.withoutLibraries(), spreads);
    return spreads.spreads();
  }

  @Override
  public List<LineTally> lines() {
    return results.lines(endpoint.requests());
  }

  @Override
  public Recorded recorded() {
    return results.recorded(endpoint.service());
  }

  @Override
  public Tally tally() {
    return endpoint.tally();
  }

  @Override
  public FlameTree tree(int mostNodes) {
    return results.tree(endpoint.name(), endpoint.requests(), mostNodes);
  }

  @Override
  public List<RequestResult> detailed(int most) {
    return endpoint.requests().stream()
        .filter(endpoint.detailed(most)::contains)
        .map(
            request ->
                new RequestResult(
                    results.traceOf(request),
                    request.span().key().span(),
                    request.span().startNanos(),
                    request.span().hasTimes(),
                    request.span().durationNanos(),
                    request.tally(),
                    results.measured(request)))
        .toList();
  }

  @Override
  public List<Dot> others(int most, int step) {
    Set<Request> detailed = endpoint.detailed(most);
    List<Request> others =
        endpoint.requests().stream().filter(request -> !detailed.contains(request)).toList();
    List<Dot> dots = new ArrayList<>();
    for (int place = 0; place < others.size(); place += step) {
      dots.add(results.dot(others.get(place)));
    }
    return dots;
  }

  @Override
  public RequestStacks requestStacks() {
    return results.stacks(endpoint);
  }

  @Override
  public Optional<RequestStacks> stacksForPage() {
    return Optional.of(requestStacks());
  }

  @Override
  public TimeSlices slices(TimeBins bins, int mostNodes, int mostCells) {
    return results.slices(endpoint, bins, mostNodes, mostCells);
  }
}

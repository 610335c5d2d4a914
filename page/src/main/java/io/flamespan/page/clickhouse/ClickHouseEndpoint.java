/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.clickhouse;

import io.flamespan.page.results.EndpointResult;
import io.flamespan.page.results.FlameTree;
import io.flamespan.page.results.Frame;
import io.flamespan.page.results.LineTally;
import io.flamespan.page.results.Measure;
import io.flamespan.page.results.MethodSpread;
import io.flamespan.page.results.RequestResult;
import io.flamespan.page.results.RequestStacks;
import io.flamespan.page.results.Spread;
import io.flamespan.page.results.Tally;
import io.flamespan.page.results.TimeBins;
import io.flamespan.page.results.TimeSlices;
import io.flamespan.page.timeline.Measured;
import io.flamespan.page.timeline.Recorded;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One of the endpoints shown. */
final class ClickHouseEndpoint implements EndpointResult {
  private final Figures figures;
  private final ShownEndpoints shown;

  ClickHouseEndpoint(Figures figures, ShownEndpoints shown) {
    this.figures = figures;
    this.shown = shown;
  }

  @Override
  public String name() {
    return figures.name();
  }

  @Override
  public String service() {
    return figures.service();
  }

  @Override
  public long requests() {
    return figures.requests();
  }

  @Override
  public double meanNanos() {
    return figures.meanNanos();
  }

  @Override
  public long p99Nanos() {
    return figures.p99Nanos() < 0 ? shown.requests().p99Nanos(figures.key()) : figures.p99Nanos();
  }

  @Override
  public Measured measured() {
    return shown.measured(figures.key());
  }

  @Override
  public Recorded recorded() {
    return shown.recorded(figures.service());
  }

  @Override
  public Spread spread(Measure measure) {
    return figures.spreads().get(measure.ordinal());
  }

  @Override
  public Map<Frame, MethodSpread> methods() {
    return Map.of();
  }

  @Override
  public List<LineTally> lines() {
    return shown.stacks().lines(figures.key());
  }

  @Override
  public Tally tally() {
    return figures.tally();
  }

  @Override
  public FlameTree tree(int mostNodes) {
    return shown.stacks().tree(figures.key(), figures.name(), mostNodes);
  }

  @Override
  public List<RequestResult> detailed(int most) {
    return shown.requests(most).detailed(figures.key());
  }

  @Override
  public List<Dot> others(int most, int step) {
    return shown.requests(most, step).others(figures.key());
  }

  @Override
  public RequestStacks requestStacks() {
    return shown.requestStacks(figures.key());
  }

  @Override
  public Optional<RequestStacks> stacksForPage() {
    return shown.stacksForPage(figures.key());
  }

  @Override
  public TimeSlices slices(TimeBins bins, int mostNodes, int mostCells) {
    throw new UnsupportedOperationException("hasSlices() is false");
  }
}

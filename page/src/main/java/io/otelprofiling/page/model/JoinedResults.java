/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.page.model;

import io.otelprofiling.page.results.EndpointResult;
import io.otelprofiling.page.results.FlameTree;
import io.otelprofiling.page.results.FlameTrees;
import io.otelprofiling.page.results.Results;
import io.otelprofiling.page.results.StackRows;
import io.otelprofiling.page.results.Tally;
import io.otelprofiling.page.results.TimeBins;
import io.otelprofiling.page.results.TimeSlices;
import io.otelprofiling.page.results.TraceResult;
import io.otelprofiling.page.results.Unjoined;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;

/** The results of traces and profiles in memory. */
public final class JoinedResults implements Results {
  private final Join join;
  private final Spans spans;
  private final Profiles profiles;
  private final FlameTrees trees;
  private final Map<SpanKey, TraceResult> traces = new HashMap<>();

  public JoinedResults(Join join, Spans spans, Profiles profiles) {
    this.join = join;
    this.spans = spans;
    this.profiles = profiles;
    this.trees = new FlameTrees(profiles.tree(), profiles.frames());
  }

  @Override
  public Tally received() {
    return profiles.received();
  }

  @Override
  public Tally unjoined(Unjoined reason) {
    return join.unjoined(reason);
  }

  @Override
  public Map<String, Tally> threadsWithoutLink() {
    return Collections.unmodifiableMap(profiles.threadsWithoutLink());
  }

  @Override
  public List<EndpointResult> endpoints(int most) {
    List<Endpoint> shown = join.endpoints();
    if (shown.size() > most) {
      List<Endpoint> others = shown.subList(most - 1, shown.size());
      shown = new ArrayList<>(shown.subList(0, most - 1));
      shown.add(Endpoint.merged("(" + others.size() + " other endpoints)", others));
    }
    return shown.stream()
        .<EndpointResult>map(endpoint -> new JoinedEndpoint(endpoint, this))
        .toList();
  }

  @Override
  public TimeBins timeBins(int most) {
    long[] range = {Long.MAX_VALUE, 0};
    profiles
        .overTime()
        .forEach(
            (link, second, nanos) -> {
              range[0] = Math.min(range[0], second);
              range[1] = Math.max(range[1], second);
            });
    return TimeBins.between(range[0], range[1], most);
  }

  @Override
  public long[][] cpuOverTime(int endpoints, TimeBins bins) {
    int[] rows = rowsOfLinks(endpoints);
    long[][] nanos = new long[endpoints + 2][bins.count()];
    profiles
        .overTime()
        .forEach(
            (link, second, cpu) -> {
              int row = link == CpuOverTime.NO_LINK ? endpoints + 1 : rows[link];
              nanos[row][(int) ((second - bins.start()) / bins.width())] += cpu;
            });
    return nanos;
  }

  @Override
  public boolean hasSlices() {
    return true;
  }

  private int[] rowsOfLinks(int endpoints) {
    int[] rows = new int[profiles.samples().links().size()];
    Arrays.fill(rows, endpoints); // a Link that was not joined counts for the other endpoints
    for (int number = 0; number < endpoints; number++) {
      for (Request request : join.endpoints().get(number).requests()) {
        for (SampledSpan span : request.sampled()) {
          rows[span.link()] = number;
        }
      }
    }
    return rows;
  }

  TraceResult traceOf(Request request) {
    return traces.computeIfAbsent(
        request.span().key().trace(), trace -> new JoinedTrace(trace, join, spans, this));
  }

  FlameTree tree(String title, List<Request> requests, int mostNodes) {
    return trees.of(title, rows(requests, request -> -1), mostNodes);
  }

  FlameTree tree(SampledSpan span, int mostNodes) {
    return trees.of(span.span().name(), visitor -> visit(span, -1, visitor), mostNodes);
  }

  TimeSlices slices(Endpoint endpoint, TimeBins bins, int mostNodes, int mostCells) {
    long[] requests = new long[bins.count()];
    long[] durationNanos = new long[bins.count()];
    for (Request request : endpoint.requests()) {
      int bin = bins.binOf(request.span().startNanos());
      if (bin >= 0) {
        requests[bin]++;
        durationNanos[bin] += request.span().durationNanos();
      }
    }
    StackRows rows = rows(endpoint.requests(), request -> bins.binOf(request.span().startNanos()));
    return trees.sliced(endpoint.name(), rows, requests, durationNanos, mostNodes, mostCells);
  }

  private StackRows rows(List<Request> requests, ToIntFunction<Request> bin) {
    return visitor -> {
      for (Request request : requests) {
        int number = bin.applyAsInt(request);
        request.sampled().forEach(span -> visit(span, number, visitor));
      }
    };
  }

  private void visit(SampledSpan span, int bin, StackRows.Visitor visitor) {
    Samples rows = profiles.samples();
    join.rows()
        .forEach(
            span,
            row ->
                visitor.row(
                    rows.stack(row),
                    bin,
                    rows.samples(row),
                    rows.cpuNanos(row),
                    rows.waits(row),
                    rows.waitNanos(row)));
  }
}

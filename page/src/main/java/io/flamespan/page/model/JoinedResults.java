/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.model;

import io.flamespan.page.input.Problems;
import io.flamespan.page.results.EndpointResult;
import io.flamespan.page.results.FlameTree;
import io.flamespan.page.results.FlameTrees;
import io.flamespan.page.results.Frame;
import io.flamespan.page.results.Largest;
import io.flamespan.page.results.LineTally;
import io.flamespan.page.results.Measure;
import io.flamespan.page.results.OwnCode;
import io.flamespan.page.results.RequestStacks;
import io.flamespan.page.results.Results;
import io.flamespan.page.results.StackRows;
import io.flamespan.page.results.StackTree;
import io.flamespan.page.results.Tally;
import io.flamespan.page.results.ThreadKey;
import io.flamespan.page.results.ThreadResult;
import io.flamespan.page.results.TimeBins;
import io.flamespan.page.results.TimeSlices;
import io.flamespan.page.results.TraceResult;
import io.flamespan.page.results.Unjoined;
import io.flamespan.page.timeline.Measured;
import io.flamespan.page.timeline.Recorded;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;

/** The results of traces and profiles in memory. */
public final class JoinedResults implements Results {
  private final Join join;
  private final Spans spans;
  private final Profiles profiles;
  private final MergedStacks merged;
  private final FlameTrees trees;
  private final OwnedRows threadRows;
  private final ChartRange chart;
  private final IdentityHashMap<Endpoint, Measured> measured = new IdentityHashMap<>();
  private final Map<SpanKey, TraceResult> traces = new HashMap<>();

  public JoinedResults(Join join, Spans spans, Profiles profiles, Problems problems) {
    this.join = join;
    this.spans = spans;
    this.profiles = profiles;
    this.merged = new MergedStacks(profiles.tree(), profiles.locations());
    this.trees = new FlameTrees(merged.tree(), profiles.frames());
    this.threadRows = new OwnedRows(profiles.threads().sums(), profiles.threads().size());
    this.chart = ChartRange.of(profiles.overTime(), problems);
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
  public List<ThreadResult> threads(int most) {
    Threads threads = profiles.threads();
    List<Integer> sorted =
        IntStream.range(0, threads.size())
            .boxed()
            .filter(number -> threads.tally(number).largestShareOf(threads.tally()) > 0)
            .sorted(
                Comparator.comparingDouble((Integer number) -> -size(threads.tally(number)))
                    .thenComparing(number -> -threads.tally(number).waitNanos())
                    .thenComparing(number -> threads.key(number).name())
                    .thenComparing(number -> threads.key(number).process()))
            .toList();
    List<ThreadResult> shown = new ArrayList<>();
    for (int number : sorted.subList(0, Math.min(most, sorted.size()))) {
      ThreadKey key = threads.key(number);
      shown.add(
          new JoinedThreads(
              key.process(), key.name(), threads.tally(number), List.of(number), this));
    }
    if (sorted.size() > most) {
      List<Integer> others = sorted.subList(most, sorted.size());
      Tally tally = new Tally();
      others.forEach(number -> tally.add(threads.tally(number)));
      shown.add(new JoinedThreads("", "(" + others.size() + " others)", tally, others, this));
    }
    return shown;
  }

  /** The largest share of what belongs to no request. Of waits, idle threads would have it. */
  private double size(Tally tally) {
    Tally all = profiles.threads().tally();
    double largest = 0;
    for (Measure measure : List.of(Measure.CPU, Measure.ALLOC, Measure.LOCK)) {
      double share = (double) tally.amount(measure) / Math.max(1, all.amount(measure));
      largest = Math.max(largest, share);
    }
    return largest;
  }

  @Override
  public List<EndpointResult> endpoints(int most) {
    List<Endpoint> shown = Largest.of(join.endpoints(), most, Endpoint::tally);
    if (shown.size() < join.endpoints().size()) {
      List<Endpoint> others = new ArrayList<>(join.endpoints());
      others.removeAll(Set.copyOf(shown));
      shown = new ArrayList<>(shown);
      shown.add(Endpoint.merged("(" + others.size() + " other endpoints)", others));
    }
    return shown.stream()
        .<EndpointResult>map(endpoint -> new JoinedEndpoint(endpoint, this))
        .toList();
  }

  @Override
  public TimeBins timeBins(int most) {
    return TimeBins.between(chart.first(), chart.last(), most);
  }

  @Override
  public long outside(Measure measure, TimeBins bins) {
    long[] sum = {0};
    profiles
        .overTime()
        .forEach(
            measure, (link, second, amount) -> sum[0] += bins.binOfSecond(second) < 0 ? amount : 0);
    return sum[0];
  }

  @Override
  public long[][] overTime(Measure measure, List<EndpointResult> endpoints, TimeBins bins) {
    int[] rows = rowsOfLinks(endpoints);
    long[][] amounts = new long[endpoints.size() + 2][bins.count()];
    profiles
        .overTime()
        .forEach(
            measure,
            (link, second, amount) -> {
              int row = endpoints.size() + (link == OverTime.NO_REQUEST ? 1 : 0);
              if (link < rows.length) {
                row = rows[link];
              }
              int bin = bins.binOfSecond(second);
              if (bin >= 0) {
                amounts[row][bin] += amount;
              }
            });
    return amounts;
  }

  Measured measured(Request request) {
    return join.timeLines().of(request);
  }

  /** Of the requests whose durations are known. */
  Measured measured(Endpoint endpoint) {
    return measured.computeIfAbsent(
        endpoint,
        of -> {
          Measured sum = Measured.sum();
          of.requests().stream()
              .filter(request -> request.span().hasTimes())
              .forEach(request -> sum.add(measured(request)));
          return sum;
        });
  }

  @Override
  public Recorded recorded() {
    return join.timeLines().recorded();
  }

  /** In one service, or in any if its name is empty. */
  Recorded recorded(String service) {
    return service.isEmpty() ? recorded() : join.timeLines().recorded(service);
  }

  @Override
  public List<Halt> halts() {
    return join.timeLines().halts();
  }

  @Override
  public boolean hasSlices() {
    return true;
  }

  private int[] rowsOfLinks(List<EndpointResult> endpoints) {
    int[] rows = new int[profiles.samples().links().size()];
    Arrays.fill(rows, endpoints.size()); // a Link that was not joined counts for the others
    Map<Join.EndpointKey, Integer> rowOf = new HashMap<>();
    endpoints.forEach(
        one -> rowOf.put(new Join.EndpointKey(one.name(), one.service()), rowOf.size()));
    for (Endpoint endpoint : join.endpoints()) {
      Integer row = rowOf.get(new Join.EndpointKey(endpoint.name(), endpoint.service()));
      if (row == null) {
        continue;
      }
      for (Request request : endpoint.requests()) {
        for (SampledSpan span : request.sampled()) {
          rows[span.link()] = row;
        }
      }
    }
    return rows;
  }

  @Override
  public Optional<TraceResult> trace(String id) {
    return spans.all().stream()
        .map(ReceivedSpan::key)
        .filter(key -> key.traceId().equals(id) || key.spanId().equals(id))
        .findFirst()
        .map(key -> new JoinedTrace(key.trace(), join, spans, this));
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

  FlameTree threadTree(String title, List<Integer> numbers, int mostNodes) {
    StackSums sums = profiles.threads().sums();
    StackRows rows =
        visitor ->
            numbers.forEach(
                number -> threadRows.forEach(number, row -> visit(sums, row, -1, visitor)));
    return trees.of(title, rows, mostNodes);
  }

  List<LineTally> lines(List<Request> requests) {
    if (!profiles.locations().anyLine()) {
      return List.of();
    }
    LineSums sums = new LineSums(profiles);
    for (Request request : requests) {
      for (SampledSpan span : request.sampled()) {
        join.rows().forEach(span.link(), row -> sums.add(links(), row));
      }
    }
    return sums.sorted();
  }

  List<LineTally> threadLines(List<Integer> numbers) {
    LineSums sums = new LineSums(profiles);
    for (int number : numbers) {
      threadRows.forEach(number, row -> sums.add(profiles.threads().sums(), row));
    }
    return sums.sorted();
  }

  TimeSlices slices(Endpoint endpoint, TimeBins bins, int mostNodes, int mostCells) {
    TimeSlices.Bins sums = new TimeSlices.Bins(bins.count());
    for (Request request : endpoint.requests()) {
      int bin = bins.binOf(request.span().startNanos());
      if (bin >= 0) {
        sums.requests()[bin]++;
        sums.durationNanos()[bin] += request.span().durationNanos();
        sums.samples()[bin] += request.tally().samples();
        if (request.span().hasTimes()) {
          sums.known()[bin]++;
          sums.add(bin, measured(request));
        }
      }
    }
    StackRows rows = rows(endpoint.requests(), request -> bins.binOf(request.span().startNanos()));
    return trees.sliced(endpoint.name(), rows, sums, mostNodes, mostCells);
  }

  RequestStacks stacks(Endpoint endpoint) {
    List<Request> requests = endpoint.requests();
    return new RequestStacks(
        requests.size(),
        () -> requests.stream().map(this::dot).toList(),
        () -> attributes(requests),
        place -> rows(List.of(requests.get(place)), request -> -1),
        merged.tree(),
        profiles.frames(),
        trees);
  }

  /** Requests with the same ones share a map. */
  private List<Map<String, String>> attributes(List<Request> requests) {
    IdentityHashMap<Map<String, String>, Map<String, String>> known = new IdentityHashMap<>();
    return requests.stream()
        .map(
            request -> known.computeIfAbsent(request.span().attributes(), spans::withoutManyValues))
        .toList();
  }

  EndpointResult.Dot dot(Request request) {
    return new EndpointResult.Dot(
        request.span().key().traceId(),
        request.span().key().span(),
        request.span().startNanos(),
        request.span().hasTimes(),
        request.span().durationNanos(),
        request.tally(),
        measured(request));
  }

  /** What the innermost own method of each stack has of this request. */
  public Map<Frame, Double> ownMethods(Request request, Measure measure, OwnCode own) {
    Map<Frame, Double> amounts = new HashMap<>();
    rows(List.of(request), one -> -1)
        .forEach(
            (stack, bin, of, count, amount) -> {
              int node = stack;
              while (node != StackTree.ROOT && (frame(node).isClass() || !own.isOwn(frame(node)))) {
                node = merged.tree().parent(node);
              }
              if (of == measure && node != StackTree.ROOT) {
                amounts.merge(frame(node), (double) amount, Double::sum);
              }
            });
    return amounts;
  }

  private Frame frame(int node) {
    return profiles.frames().get(merged.tree().frame(node));
  }

  private StackRows rows(List<Request> requests, ToIntFunction<Request> bin) {
    return visitor -> {
      for (Request request : requests) {
        int number = bin.applyAsInt(request);
        for (SampledSpan span : request.sampled()) {
          visit(span, number, visitor);
        }
      }
    };
  }

  private StackSums links() {
    return profiles.samples().sums();
  }

  private void visit(SampledSpan span, int bin, StackRows.Visitor visitor) {
    int end = join.rows().end(span.link());
    for (int row = join.rows().begin(span.link()); row < end; row++) {
      visit(links(), row, bin, visitor);
    }
  }

  private void visit(StackSums sums, int row, int bin, StackRows.Visitor visitor) {
    visitor.row(
        merged.node(sums.stack(row)), bin, sums.measure(row), sums.count(row), sums.amount(row));
  }
}

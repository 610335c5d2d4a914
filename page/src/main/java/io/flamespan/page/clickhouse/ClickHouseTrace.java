/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.clickhouse;

import io.flamespan.page.results.FlameTree;
import io.flamespan.page.results.FlameTrees;
import io.flamespan.page.results.StackRows;
import io.flamespan.page.results.Tally;
import io.flamespan.page.results.TraceResult;
import io.flamespan.page.results.TraceSpan;
import io.flamespan.page.timeline.Extent;
import io.flamespan.page.timeline.Measured;
import io.flamespan.page.timeline.RequestSamples;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** A trace with a slow request. */
final class ClickHouseTrace implements TraceResult {
  /** The least number of nodes for each local root span, if there are many. */
  private static final int NODES_OF_A_ROOT = 20;

  private record Row(int stack, Tally tally) {}

  /** Its spans and samples. */
  static final class Content {
    private final List<TraceSpan> spans = new ArrayList<>();
    private final Map<Long, List<Long>> spansOfRoots = new LinkedHashMap<>();
    private final Map<Long, List<Row>> rows = new HashMap<>();
    private final Map<Long, TimeLines.OfSpan> timesOf = new HashMap<>();

    @SuppressWarnings("NullAway.Init") // once the tree is complete
    private FlameTrees trees;

    /** The local root span is 0 if it was not received. */
    void add(TraceSpan span, long root, TimeLines.OfSpan times) {
      spans.add(span);
      timesOf.put(span.id(), times);
      if (root != 0) {
        spansOfRoots.computeIfAbsent(root, added -> new ArrayList<>(1)).add(span.id());
      }
    }

    /** Measures requests and sampled spans, after all spans were added. */
    void measure() {
      Map<Long, Measured> samples = new HashMap<>();
      Set<Long> clocksDiffer = new HashSet<>(); // by span
      spansOfRoots.forEach((root, below) -> measure(root, below, samples, clocksDiffer));
      Map<Long, TraceSpan> known = new HashMap<>();
      spans.forEach(span -> known.put(span.id(), span));
      for (TraceSpan span : spans) {
        Measured of = samples.get(span.id());
        Set<Long> passed = new HashSet<>(); // Spans may be parents of each other.
        for (TraceSpan at = span;
            of != null && at != null && passed.add(at.id());
            at = at.localRoot() ? null : known.get(at.parentId())) {
          at.measured().addSamples(of);
        }
      }
      for (TraceSpan span : spans) {
        TimeLines.OfSpan of = Objects.requireNonNull(timesOf.get(span.id()));
        if (span.localRoot() || of.isSampled() || !span.tally().isEmpty()) {
          of.addTimes(span.measured(), clocksDiffer.contains(span.id()));
        } else {
          span.measured().clear();
        }
      }
      timesOf.clear();
    }

    /** Measures the samples of the spans of one request, which share its time. */
    private void measure(
        long root, List<Long> below, Map<Long, Measured> samples, Set<Long> clocksDiffer) {
      TimeLines.OfSpan ofRoot = timesOf.get(root);
      if (ofRoot == null) {
        return;
      }
      Extent extent = new Extent();
      below.forEach(span -> extent.add(Objects.requireNonNull(timesOf.get(span)).extent()));
      boolean differ = ofRoot.clocksDiffer(extent);
      RequestSamples request = ofRoot.request(differ);
      for (long span : below) {
        Measured measured = new Measured(0);
        Objects.requireNonNull(timesOf.get(span)).addTo(request, measured);
        samples.put(span, measured);
      }
      request.measure();
      if (differ) {
        clocksDiffer.addAll(below);
      }
    }

    void add(long span, int stack, Tally tally) {
      rows.computeIfAbsent(span, added -> new ArrayList<>()).add(new Row(stack, tally));
    }

    void setTrees(FlameTrees trees) {
      this.trees = trees;
    }

    private FlameTree tree(String title, Collection<Long> ofSpans, int mostNodes) {
      StackRows all =
          visitor ->
              ofSpans.forEach(
                  span ->
                      rows.getOrDefault(span, List.of())
                          .forEach(row -> visitor.rows(row.stack, -1, row.tally)));
      return trees.of(title, all, mostNodes);
    }
  }

  private record Root(TraceSpan span, List<Long> spans, long nanos) {}

  private final String id;
  private final Traces traces;

  ClickHouseTrace(String id, Traces traces) {
    this.id = id;
    this.traces = traces;
  }

  @Override
  public String id() {
    return id;
  }

  @Override
  public List<TraceSpan> spans() {
    return traces.content(id).spans;
  }

  /** If there are many local root spans, those with the fewest samples share a frame. */
  @Override
  public FlameTree tree(int mostNodes) {
    Content content = traces.content(id);
    List<Root> roots = roots(content);
    if (roots.size() == 1) {
      return content.tree(title(roots.get(0)), roots.get(0).spans, mostNodes);
    }
    FlameTree whole = new FlameTree("trace " + id);
    int shown = Math.min(roots.size(), Math.max(1, mostNodes / NODES_OF_A_ROOT));
    for (Root root : roots.subList(0, shown)) {
      whole.graft(content.tree(title(root), root.spans, Math.max(1, mostNodes / shown)));
    }
    List<Long> others = new ArrayList<>();
    roots.subList(shown, roots.size()).forEach(root -> others.addAll(root.spans));
    if (!others.isEmpty()) {
      String title = "(" + (roots.size() - shown) + " other local root spans)";
      whole.graft(content.tree(title, others, NODES_OF_A_ROOT));
    }
    return whole;
  }

  /** The local root spans with samples, the one with the most time first. */
  private static List<Root> roots(Content content) {
    Map<Long, TraceSpan> spans = new HashMap<>();
    content.spans.forEach(span -> spans.put(span.id(), span));
    List<Root> roots = new ArrayList<>();
    content.spansOfRoots.forEach(
        (root, below) -> {
          long nanos = 0;
          boolean sampled = false;
          for (long span : below) {
            Tally tally = Objects.requireNonNull(spans.get(span)).tally();
            sampled |= !tally.isEmpty();
            nanos += tally.cpuNanos() + tally.waitNanos();
          }
          if (sampled) {
            roots.add(new Root(Objects.requireNonNull(spans.get(root)), below, nanos));
          }
        });
    roots.sort(Comparator.comparingLong(root -> -root.nanos));
    return roots;
  }

  private static String title(Root root) {
    return root.span.name() + " of " + root.span.service();
  }

  @Override
  public FlameTree treeOfRequest(long localRoot, int mostNodes) {
    Content content = traces.content(id);
    List<Long> below = content.spansOfRoots.getOrDefault(localRoot, List.of());
    return content.tree("", below, mostNodes);
  }

  @Override
  public FlameTree treeOf(TraceSpan span, int mostNodes) {
    return traces.content(id).tree(span.name(), Set.of(span.id()), mostNodes);
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.model;

import io.flamespan.page.results.FlameTree;
import io.flamespan.page.results.Tally;
import io.flamespan.page.results.TraceResult;
import io.flamespan.page.results.TraceSpan;
import io.flamespan.page.timeline.Measured;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A trace with its spans in memory. */
final class JoinedTrace implements TraceResult {
  private static final int NODES_OF_A_ROOT = 10; // at least, of each one with a frame

  private final SpanKey key;
  private final Join join;
  private final Spans spans;
  private final JoinedResults results;
  private final Map<Long, SampledSpan> sampled = new HashMap<>();
  private final Map<Long, Sum> sums = new HashMap<>();

  /** What was measured of a span and of those below it in its process. */
  private static final class Sum {
    final Measured samples = new Measured(0);
    boolean clocksDiffer;
  }

  JoinedTrace(SpanKey key, Join join, Spans spans, JoinedResults results) {
    this.key = key;
    this.join = join;
    this.spans = spans;
    this.results = results;
    List<ReceivedSpan> parentsFirst = new ArrayList<>();
    for (Request request : join.requestsOfTrace(key)) {
      for (SampledSpan span : request.sampled()) {
        sampled.put(span.span().key().span(), span);
        Sum sum = addWithThoseAbove(span.span(), parentsFirst);
        join.timeLines().addSamples(sum.samples, span);
        sum.clocksDiffer |= join.timeLines().clocksDiffer(span.link());
      }
    }
    Collections.reverse(parentsFirst);
    for (ReceivedSpan span : parentsFirst) {
      ReceivedSpan parent = spans.parentInProcess(span);
      if (parent != null) {
        Sum sum = sum(span);
        Sum ofParent = sum(parent);
        ofParent.samples.addSamples(sum.samples);
        ofParent.clocksDiffer |= sum.clocksDiffer;
      }
    }
  }

  /** Adds a sum for the span and for each one above it. Returns that of the span. */
  private Sum addWithThoseAbove(ReceivedSpan span, List<ReceivedSpan> parentsFirst) {
    List<ReceivedSpan> added = new ArrayList<>();
    for (ReceivedSpan at = span;
        at != null && sums.putIfAbsent(at.key().span(), new Sum()) == null;
        at = spans.parentInProcess(at)) {
      added.add(at);
    }
    Collections.reverse(added);
    parentsFirst.addAll(added);
    return sum(span);
  }

  private Sum sum(ReceivedSpan span) {
    return sums.computeIfAbsent(span.key().span(), added -> new Sum());
  }

  @Override
  public String id() {
    return key.traceId();
  }

  @Override
  public List<TraceSpan> spans() {
    return join.spansOfTrace(key).stream()
        .map(
            span -> {
              SampledSpan known = sampled.get(span.key().span());
              return new TraceSpan(
                  span.key().span(),
                  span.parentSpanId(),
                  span.name(),
                  span.service().title(),
                  span.startNanos(),
                  span.durationNanos(),
                  spans.isLocalRoot(span),
                  span.failed(),
                  known == null ? new Tally() : known.tally(),
                  measured(span));
            })
        .toList();
  }

  /** Of a request or a sampled span, with the samples of the spans below it in its process. */
  private Measured measured(ReceivedSpan span) {
    Measured measured = new Measured(span.durationNanos());
    if (spans.isLocalRoot(span) || sampled.containsKey(span.key().span())) {
      Sum sum = sum(span);
      measured.addSamples(sum.samples);
      join.timeLines().addTimes(measured, span, sum.clocksDiffer);
    }
    return measured;
  }

  /** If there are many local root spans, those with the fewest samples share a frame. */
  @Override
  public FlameTree tree(int mostNodes) {
    List<Request> requests =
        join.requestsOfTrace(key).stream()
            .filter(request -> !request.tally().isEmpty())
            .sorted(
                Comparator.comparingLong(
                    request -> -request.tally().cpuNanos() - request.tally().waitNanos()))
            .toList();
    if (requests.size() == 1) {
      return results.tree(title(requests.get(0)), requests, mostNodes);
    }
    FlameTree whole = new FlameTree("trace " + id());
    int shown = Math.min(requests.size(), Math.max(1, mostNodes / NODES_OF_A_ROOT));
    for (Request one : requests.subList(0, shown)) {
      whole.graft(results.tree(title(one), List.of(one), Math.max(1, mostNodes / shown)));
    }
    List<Request> others = requests.subList(shown, requests.size());
    if (!others.isEmpty()) {
      String title = "(" + others.size() + " other local root spans)";
      whole.graft(results.tree(title, others, NODES_OF_A_ROOT));
    }
    return whole;
  }

  private static String title(Request request) {
    return request.span().name() + " of " + request.span().service().title();
  }

  @Override
  public FlameTree treeOfRequest(long localRoot, int mostNodes) {
    return join.requestsOfTrace(key).stream()
        .filter(request -> request.span().key().span() == localRoot)
        .findFirst()
        .map(request -> results.tree(title(request), List.of(request), mostNodes))
        .orElseGet(() -> new FlameTree(""));
  }

  @Override
  public FlameTree treeOf(TraceSpan span, int mostNodes) {
    return results.tree(Objects.requireNonNull(sampled.get(span.id())), mostNodes);
  }
}

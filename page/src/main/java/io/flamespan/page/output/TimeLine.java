/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.output;

import io.flamespan.page.results.TraceSpan;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The spans of a trace, each below its parent, and children in the order of their starts. */
final class TimeLine {
  record Row(TraceSpan span, int depth) {}

  private final List<Row> rows = new ArrayList<>();
  private final int leftOut;

  /** Beyond the limit, keeps the spans of requests, sampled spans and the longest ones. */
  TimeLine(List<TraceSpan> spans, Set<Long> requests, int limit) {
    List<TraceSpan> shown =
        spans.stream()
            .sorted(
                Comparator.comparing((TraceSpan span) -> !requests.contains(span.id()))
                    .thenComparing(span -> span.tally().isEmpty())
                    .thenComparing(span -> -span.durationNanos()))
            .limit(limit)
            .sorted(Comparator.comparingLong(TraceSpan::startNanos))
            .toList();
    leftOut = spans.size() - shown.size();
    Map<Long, Long> parents = new HashMap<>();
    spans.forEach(span -> parents.put(span.id(), span.parentId()));
    order(shown, parents);
  }

  private void order(List<TraceSpan> spans, Map<Long, Long> parents) {
    Set<Long> ids = new HashSet<>();
    spans.forEach(span -> ids.add(span.id()));
    Map<Long, List<TraceSpan>> children = new HashMap<>();
    Deque<Row> next = new ArrayDeque<>();
    for (TraceSpan span : spans) {
      long ancestor = shownAncestor(span, ids, parents);
      if (ancestor != 0 && ancestor != span.id()) {
        children.computeIfAbsent(ancestor, id -> new ArrayList<>()).add(span);
      } else {
        next.addLast(new Row(span, 0));
      }
    }
    Set<Long> placed = new HashSet<>();
    take(next, children, placed);
    // Spans that are parents of each other have no root above them.
    for (TraceSpan span : spans) {
      if (!placed.contains(span.id())) {
        next.addLast(new Row(span, 0));
        take(next, children, placed);
      }
    }
  }

  /**
   * The parent, or the nearest ancestor that is shown, or 0. Spans may be parents of each other.
   */
  private static long shownAncestor(TraceSpan span, Set<Long> shown, Map<Long, Long> parents) {
    long ancestor = span.parentId();
    for (int steps = 0; ancestor != 0 && !shown.contains(ancestor); steps++) {
      ancestor = steps < parents.size() ? parents.getOrDefault(ancestor, 0L) : 0;
    }
    return ancestor;
  }

  private void take(Deque<Row> next, Map<Long, List<TraceSpan>> children, Set<Long> placed) {
    while (!next.isEmpty()) {
      Row row = next.removeFirst();
      if (!placed.add(row.span().id())) {
        continue;
      }
      rows.add(row);
      List<TraceSpan> below = children.getOrDefault(row.span().id(), List.of());
      for (int i = below.size() - 1; i >= 0; i--) {
        next.addFirst(new Row(below.get(i), row.depth() + 1));
      }
    }
  }

  List<Row> rows() {
    return rows;
  }

  int leftOut() {
    return leftOut;
  }
}

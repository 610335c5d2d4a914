/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.output;

import com.google.gson.stream.JsonWriter;
import io.flamespan.page.results.FlameTree;
import io.flamespan.page.results.RequestResult;
import io.flamespan.page.results.TraceResult;
import io.flamespan.page.results.TraceSpan;
import io.flamespan.page.timeline.Parts;
import java.io.IOException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** The traces of the requests on the page, each once, as several requests may share a trace. */
final class TracesData {
  private static final int REQUEST_NODES = 1_000; // in which methods are looked for
  private static final int LEAST_NODES = 10; // below this, a graph would show nothing

  private static final class Shown {
    final int number;
    final Map<Long, Consumer<FlameTree>> requests = new HashMap<>();

    Shown(int number) {
      this.number = number;
    }
  }

  private final PageLimits limits;
  private final Map<TraceResult, Shown> traces = new LinkedHashMap<>();

  TracesData(PageLimits limits) {
    this.limits = limits;
  }

  /**
   * Returns the trace's position among all.
   *
   * @param graph receives the graph of the request when the trace is written, as traces from
   *     ClickHouse are in memory one after the other
   */
  int add(RequestResult request, Consumer<FlameTree> graph) {
    Shown shown = traces.computeIfAbsent(request.trace(), trace -> new Shown(traces.size()));
    shown.requests.put(request.spanId(), graph);
    return shown.number;
  }

  void write(JsonWriter json, Graphs graphs) throws IOException {
    json.name("traces").beginArray();
    for (Map.Entry<TraceResult, Shown> entry : traces.entrySet()) {
      json.beginObject().name("id").value(entry.getKey().id());
      TraceResult trace = entry.getKey();
      graphs.tree(trace.tree(nodes()));
      Map<Long, Consumer<FlameTree>> requests = entry.getValue().requests;
      spans(json, graphs, trace, requests.keySet());
      requests.forEach((span, graph) -> graph.accept(trace.treeOfRequest(span, REQUEST_NODES)));
      json.endObject();
    }
    json.endArray();
  }

  private int nodes() {
    return limits.nodesOfATrace(traces.size());
  }

  private void spans(JsonWriter json, Graphs graphs, TraceResult trace, Set<Long> requests)
      throws IOException {
    List<TraceSpan> spans = trace.spans();
    int most = Math.max(PageLimits.spansOfATrace(traces.size()), requests.size());
    TimeLine line = new TimeLine(spans, requests, most);
    long start = line.rows().stream().mapToLong(row -> row.span().startNanos()).min().orElseThrow();
    json.name("spansLeftOut").value(line.leftOut());
    Set<TraceSpan> largest = largest(line.rows(), nodes() / LEAST_NODES);
    json.name("spans").beginArray();
    for (TimeLine.Row row : line.rows()) {
      TraceSpan span = row.span();
      json.beginObject();
      json.name("id").value(HexFormat.of().toHexDigits(span.id()));
      json.name("name").value(Graphs.cut(span.name()));
      json.name("service").value(Graphs.cut(span.service()));
      json.name("start").value(span.startNanos() - start);
      json.name("duration").value(span.durationNanos());
      json.name("depth").value(row.depth());
      json.name("localRoot").value(span.localRoot());
      json.name("failed").value(span.failed());
      if (!span.tally().isEmpty()) {
        graphs.tally("tally", span.tally());
      }
      if (span.durationNanos() > 0 && !span.measured().isEmpty()) {
        PartsJson.amounts(json, "parts", Parts.ofOne(span.measured()));
      }
      if (largest.contains(span)) {
        graphs.tree(trace.treeOf(span, nodes() / largest.size()));
      }
      json.endObject();
    }
    json.endArray();
  }

  /** The spans that get a graph, because the page does not have room for all. */
  private static Set<TraceSpan> largest(List<TimeLine.Row> rows, int most) {
    return rows.stream()
        .map(TimeLine.Row::span)
        .filter(span -> !span.tally().isEmpty())
        .sorted(
            Comparator.comparingLong(span -> -span.tally().cpuNanos() - span.tally().waitNanos()))
        .limit(Math.max(1, most))
        .collect(Collectors.toSet());
  }
}

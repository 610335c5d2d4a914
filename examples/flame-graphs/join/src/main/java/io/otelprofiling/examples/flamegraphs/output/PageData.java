/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.examples.flamegraphs.output;

import com.google.gson.stream.JsonWriter;
import io.otelprofiling.examples.flamegraphs.results.EndpointResult;
import io.otelprofiling.examples.flamegraphs.results.FlameTree;
import io.otelprofiling.examples.flamegraphs.results.Frame;
import io.otelprofiling.examples.flamegraphs.results.Frames;
import io.otelprofiling.examples.flamegraphs.results.RequestResult;
import io.otelprofiling.examples.flamegraphs.results.Results;
import io.otelprofiling.examples.flamegraphs.results.Tally;
import io.otelprofiling.examples.flamegraphs.results.TraceSpan;
import io.otelprofiling.examples.flamegraphs.results.Unjoined;
import java.io.IOException;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.function.IntToLongFunction;
import java.util.stream.Collectors;

/** What the page shows, as JSON. Counts while it writes, for the check of the sums. */
final class PageData {
  private static final int LONGEST_NAME = 500;
  private static final int LEAST_NODES = 10; // of a graph that shows anything

  private final Results results;
  private final Frames shownFrames = new Frames();
  private final Tally written = new Tally();

  PageData(Results results) {
    this.results = results;
  }

  void write(JsonWriter json, List<String> problems) throws IOException {
    json.beginObject();
    json.name("received");
    tally(json, results.received());
    json.name("unjoined").beginArray();
    for (Unjoined reason : Unjoined.values()) {
      json.beginObject().name("reason").value(reason.reason()).name("tally");
      tally(json, results.unjoined(reason));
      json.endObject();
    }
    json.endArray();
    json.name("problems").beginArray();
    for (String problem : problems) {
      json.value(cut(problem));
    }
    json.endArray();
    List<EndpointResult> endpoints = results.endpoints(PageLimits.ENDPOINTS);
    PageLimits limits = PageLimits.of(endpoints.size());
    new OverviewData(results, endpoints).write(json, limits.requests());
    json.name("endpoints").beginArray();
    for (EndpointResult endpoint : endpoints) {
      endpoint(json, endpoint, limits);
    }
    json.endArray();
    // Behind the graphs, as these number the frames.
    frames(json);
    json.endObject();
  }

  /** Those of the flame graphs of all endpoints. */
  Tally written() {
    return written;
  }

  private void endpoint(JsonWriter json, EndpointResult endpoint, PageLimits limits)
      throws IOException {
    FlameTree tree = endpoint.tree(limits.endpointNodes());
    written.add(tree.samples(0), tree.cpuNanos(0), tree.waits(0), tree.waitNanos(0));
    json.beginObject();
    json.name("name").value(cut(endpoint.name()));
    json.name("service").value(cut(endpoint.service()));
    json.name("requests").value(endpoint.requests());
    json.name("mean").value(Math.round(endpoint.meanNanos()));
    json.name("p99").value(endpoint.p99Nanos());
    json.name("neither").value(endpoint.neitherNanos());
    json.name("tally");
    tally(json, endpoint.tally());
    json.name("tree");
    tree(json, tree);
    json.name("slowest").beginArray();
    for (RequestResult request : endpoint.slowest(limits.requests())) {
      request(json, request, limits);
    }
    json.endArray().endObject();
  }

  private void request(JsonWriter json, RequestResult request, PageLimits limits)
      throws IOException {
    json.beginObject();
    json.name("trace").value(request.trace().id());
    json.name("span").value(HexFormat.of().toHexDigits(request.spanId()));
    json.name("start").value(request.startNanos() / 1_000_000);
    json.name("duration").value(request.durationNanos());
    json.name("neither").value(request.neitherNanos());
    json.name("tally");
    tally(json, request.tally());
    json.name("tree");
    tree(json, request.trace().tree(limits.requestNodes()));
    List<TraceSpan> spans = request.trace().spans();
    TimeLine line = new TimeLine(spans, request.spanId(), limits.spans());
    long start = line.rows().stream().mapToLong(row -> row.span().startNanos()).min().orElseThrow();
    json.name("spansLeftOut").value(line.leftOut());
    Set<TraceSpan> shown = largest(spans, limits.requestNodes() / LEAST_NODES);
    json.name("spans").beginArray();
    for (TimeLine.Row row : line.rows()) {
      TraceSpan span = row.span();
      json.beginObject();
      json.name("name").value(cut(span.name()));
      json.name("service").value(cut(span.service()));
      json.name("start").value(span.startNanos() - start);
      json.name("duration").value(span.durationNanos());
      json.name("depth").value(row.depth());
      json.name("localRoot").value(span.localRoot());
      json.name("failed").value(span.failed());
      if (!span.tally().isEmpty()) {
        json.name("tally");
        tally(json, span.tally());
        if (shown.contains(span)) {
          json.name("tree");
          tree(json, request.trace().treeOf(span, limits.requestNodes() / shown.size()));
        }
      }
      json.endObject();
    }
    json.endArray().endObject();
  }

  /** Those that have graphs of their own, because the page has no room for all. */
  private static Set<TraceSpan> largest(List<TraceSpan> spans, int most) {
    return spans.stream()
        .filter(span -> !span.tally().isEmpty())
        .sorted(
            Comparator.comparingLong(span -> -span.tally().cpuNanos() - span.tally().waitNanos()))
        .limit(Math.max(1, most))
        .collect(Collectors.toSet());
  }

  private void tree(JsonWriter json, FlameTree tree) throws IOException {
    json.beginObject();
    numbers(json, "parent", tree.size(), tree::parent);
    numbers(json, "frame", tree.size(), node -> shownFrames.number(tree.frame(node)));
    numbers(json, "samples", tree.size(), tree::samples);
    numbers(json, "cpu", tree.size(), tree::cpuNanos);
    if (tree.waits(0) > 0) {
      numbers(json, "waits", tree.size(), tree::waits);
      numbers(json, "waiting", tree.size(), tree::waitNanos);
    }
    json.name("leftOut").value(tree.leftOut());
    json.endObject();
  }

  private static void numbers(JsonWriter json, String name, int size, IntToLongFunction number)
      throws IOException {
    json.name(name).beginArray();
    for (int i = 0; i < size; i++) {
      json.value(number.applyAsLong(i));
    }
    json.endArray();
  }

  private void frames(JsonWriter json) throws IOException {
    json.name("frames").beginArray();
    for (int number = 0; number < shownFrames.size(); number++) {
      Frame frame = shownFrames.get(number);
      json.beginArray().value(cut(frame.name())).value(cut(frame.file())).value(frame.kind());
      json.endArray();
    }
    json.endArray();
  }

  static void tally(JsonWriter json, Tally tally) throws IOException {
    json.beginObject().name("samples").value(tally.samples());
    json.name("cpu").value(tally.cpuNanos());
    if (tally.waits() > 0) {
      json.name("waits").value(tally.waits());
      json.name("waiting").value(tally.waitNanos());
    }
    json.endObject();
  }

  static String cut(String text) {
    return TextFiles.cut(text, LONGEST_NAME);
  }
}

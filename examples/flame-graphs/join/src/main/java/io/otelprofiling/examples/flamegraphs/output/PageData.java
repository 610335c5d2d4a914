/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.examples.flamegraphs.output;

import com.google.gson.stream.JsonWriter;
import io.otelprofiling.examples.flamegraphs.model.Endpoint;
import io.otelprofiling.examples.flamegraphs.model.Frame;
import io.otelprofiling.examples.flamegraphs.model.Frames;
import io.otelprofiling.examples.flamegraphs.model.Join;
import io.otelprofiling.examples.flamegraphs.model.Profiles;
import io.otelprofiling.examples.flamegraphs.model.ReceivedSpan;
import io.otelprofiling.examples.flamegraphs.model.Request;
import io.otelprofiling.examples.flamegraphs.model.SampledSpan;
import io.otelprofiling.examples.flamegraphs.model.Spans;
import io.otelprofiling.examples.flamegraphs.model.Tally;
import io.otelprofiling.examples.flamegraphs.model.Unjoined;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntToLongFunction;
import java.util.stream.Collectors;

/** What the page shows, as JSON. Counts while it writes, for the check of the sums. */
final class PageData {
  private static final int LONGEST_NAME = 500;
  private static final int LEAST_NODES = 10; // of a graph that shows anything

  private final Join join;
  private final Spans spans;
  private final FlameTrees trees;
  private final Profiles profiles;
  private final Frames shownFrames = new Frames();
  private final Tally written = new Tally();

  PageData(Join join, Spans spans, FlameTrees trees, Profiles profiles) {
    this.profiles = profiles;
    this.join = join;
    this.spans = spans;
    this.trees = trees;
  }

  void write(JsonWriter json, Tally received, List<String> problems) throws IOException {
    json.beginObject();
    json.name("received");
    tally(json, received);
    json.name("unjoined").beginArray();
    for (Unjoined reason : Unjoined.values()) {
      json.beginObject().name("reason").value(reason.reason()).name("tally");
      tally(json, join.unjoined(reason));
      json.endObject();
    }
    json.endArray();
    json.name("problems").beginArray();
    for (String problem : problems) {
      json.value(cut(problem));
    }
    json.endArray();
    List<Endpoint> endpoints = endpoints();
    PageLimits limits = PageLimits.of(endpoints.size());
    new OverviewData(profiles, endpoints).write(json, limits.requests());
    json.name("endpoints").beginArray();
    for (Endpoint endpoint : endpoints) {
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

  private List<Endpoint> endpoints() {
    List<Endpoint> all = join.endpoints();
    if (all.size() <= PageLimits.ENDPOINTS) {
      return all;
    }
    List<Endpoint> shown = new ArrayList<>(all.subList(0, PageLimits.ENDPOINTS - 1));
    List<Endpoint> others = all.subList(PageLimits.ENDPOINTS - 1, all.size());
    shown.add(Endpoint.merged("(" + others.size() + " other endpoints)", others));
    return shown;
  }

  private void endpoint(JsonWriter json, Endpoint endpoint, PageLimits limits) throws IOException {
    FlameTree tree = trees.ofEndpoint(endpoint, limits.endpointNodes());
    written.add(tree.samples(0), tree.cpuNanos(0), tree.waits(0), tree.waitNanos(0));
    json.beginObject();
    json.name("name").value(cut(endpoint.name()));
    json.name("service").value(cut(endpoint.service()));
    json.name("requests").value(endpoint.requests().size());
    json.name("mean").value(Math.round(endpoint.meanNanos()));
    json.name("p99").value(endpoint.p99Nanos());
    json.name("neither").value(endpoint.neitherNanos());
    json.name("tally");
    tally(json, endpoint.tally());
    json.name("tree");
    tree(json, tree);
    json.name("slowest").beginArray();
    for (Request request :
        endpoint.requests().subList(0, Math.min(limits.requests(), endpoint.requests().size()))) {
      request(json, request, limits);
    }
    json.endArray().endObject();
  }

  private void request(JsonWriter json, Request request, PageLimits limits) throws IOException {
    json.beginObject();
    json.name("trace").value(request.span().key().traceId());
    json.name("span").value(request.span().key().spanId());
    json.name("start").value(request.span().startNanos() / 1_000_000);
    json.name("duration").value(request.span().durationNanos());
    json.name("neither").value(request.neitherNanos());
    json.name("tally");
    tally(json, request.tally());
    json.name("tree");
    tree(json, trees.ofTraceOf(request, limits.requestNodes()));
    Map<ReceivedSpan, SampledSpan> sampled = sampledOf(request);
    TimeLine line =
        new TimeLine(
            join.spansOfTraceOf(request), request.span(), sampled.keySet(), limits.spans());
    long start = line.rows().stream().mapToLong(row -> row.span().startNanos()).min().orElseThrow();
    json.name("spansLeftOut").value(line.leftOut());
    Set<SampledSpan> shown = largest(sampled.values(), limits.requestNodes() / LEAST_NODES);
    json.name("spans").beginArray();
    for (TimeLine.Row row : line.rows()) {
      ReceivedSpan span = row.span();
      json.beginObject();
      json.name("name").value(cut(span.name()));
      json.name("service").value(cut(span.service().title()));
      json.name("start").value(span.startNanos() - start);
      json.name("duration").value(span.durationNanos());
      json.name("depth").value(row.depth());
      json.name("localRoot").value(spans.isLocalRoot(span));
      json.name("failed").value(span.failed());
      SampledSpan own = sampled.get(span);
      if (own != null) {
        json.name("tally");
        tally(json, own.tally());
        if (shown.contains(own)) {
          json.name("tree");
          tree(json, trees.ofSpan(own, limits.requestNodes() / shown.size()));
        }
      }
      json.endObject();
    }
    json.endArray().endObject();
  }

  /** Those that have graphs of their own, because the page has no room for all. */
  private static Set<SampledSpan> largest(Collection<SampledSpan> spans, int most) {
    return spans.stream()
        .sorted(
            Comparator.comparingLong(span -> -span.tally().cpuNanos() - span.tally().waitNanos()))
        .limit(Math.max(1, most))
        .collect(Collectors.toSet());
  }

  /** The spans that Links name, of all services that took part in the trace. */
  private Map<ReceivedSpan, SampledSpan> sampledOf(Request request) {
    Map<ReceivedSpan, SampledSpan> sampled = new HashMap<>();
    for (Request one : join.requestsOfTraceOf(request)) {
      one.sampled().forEach(span -> sampled.put(span.span(), span));
    }
    return sampled;
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

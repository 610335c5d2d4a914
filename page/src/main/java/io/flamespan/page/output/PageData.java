/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.output;

import com.google.gson.stream.JsonWriter;
import io.flamespan.page.comparison.Comparison;
import io.flamespan.page.results.EndpointResult;
import io.flamespan.page.results.FlameTree;
import io.flamespan.page.results.RequestResult;
import io.flamespan.page.results.Results;
import io.flamespan.page.results.Sentence;
import io.flamespan.page.results.Slowest;
import io.flamespan.page.results.Tally;
import io.flamespan.page.results.TimeBins;
import io.flamespan.page.results.Unjoined;
import io.flamespan.page.results.WaitReasons;
import io.flamespan.page.timeline.Measured;
import io.flamespan.page.timeline.Part;
import io.flamespan.page.timeline.Parts;
import java.io.IOException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** The data of the page as JSON. Counts while writing, for the check of the sums. */
final class PageData {
  private static final int LONGEST_PROBLEM = 500;
  private static final int REQUEST_NODES = 1_000; // in which methods are looked for

  private final Results results;
  private final Optional<Comparison> comparison;
  private final Sentence sentence;
  private final Tally written = new Tally();
  private Tally writtenBaseline = new Tally();

  PageData(Results results, Optional<Comparison> comparison) {
    this.results = results;
    this.comparison = comparison;
    this.sentence = Sentence.of(results, name -> name);
  }

  void write(JsonWriter json, List<String> problems) throws IOException {
    List<EndpointResult> endpoints = results.endpoints(PageLimits.ENDPOINTS);
    PageLimits limits = PageLimits.of(endpoints.size(), results.received());
    TimeBins bins = results.timeBins(PageLimits.TIME_BINS);
    Graphs graphs = new Graphs(json);
    TracesData traces = new TracesData(limits);
    json.beginObject();
    sums(graphs, json, results);
    PartsJson.texts(json);
    patterns(json, "waitReasons", WaitReasons.reasons());
    patterns(json, "waitsAbout", WaitReasons.about());
    json.name("moreThanCpu").value(results.recorded().hasMoreThanCpu());
    notRecorded(json, results.recorded().missing());
    json.name("problems").beginArray();
    for (String problem : problems) {
      json.value(TextFiles.cut(problem, LONGEST_PROBLEM));
    }
    json.endArray();
    new OverviewData(results, endpoints, bins).write(json, graphs, limits.requests());
    json.name("endpoints").beginArray();
    for (EndpointResult endpoint : endpoints) {
      json.beginObject();
      figures(json, graphs, endpoint);
      if (!endpoint.recorded().missing().equals(results.recorded().missing())) {
        notRecorded(json, endpoint.recorded().missing());
      }
      FlameTree tree = endpoint.tree(limits.endpointNodes());
      written.add(tree.tally(0));
      parts(json, endpoint, tree, limits.requests());
      graphs.tree(tree);
      new Spreads(json, graphs, List.of(endpoint)).write(tree);
      graphs.lines(endpoint.lines());
      if (results.hasSlices() && bins.count() > 1) {
        graphs.slices(endpoint.slices(bins, limits.sliceNodes(), limits.sliceCells()));
      }
      requests(json, graphs, endpoint.detailed(limits.requests()), traces);
      json.endObject();
    }
    json.endArray();
    traces.write(json, graphs);
    if (comparison.isPresent()) {
      writtenBaseline = new ComparisonData(comparison.get()).write(json, graphs);
    }
    // After the graphs, which number the frames.
    graphs.frames();
    json.endObject();
  }

  /** Writes the sums of all samples received, and of those not on the page by reason. */
  static void sums(Graphs graphs, JsonWriter json, Results results) throws IOException {
    graphs.tally("received", results.received());
    json.name("unjoined").beginArray();
    for (Unjoined reason : Unjoined.values()) {
      json.beginObject().name("reason").value(reason.reason());
      graphs.tally("tally", results.unjoined(reason));
      json.endObject();
    }
    json.endArray();
  }

  private static void figures(JsonWriter json, Graphs graphs, EndpointResult endpoint)
      throws IOException {
    json.name("name").value(Graphs.cut(endpoint.name()));
    json.name("service").value(Graphs.cut(endpoint.service()));
    json.name("requests").value(endpoint.requests());
    json.name("mean").value(Math.round(endpoint.meanNanos()));
    json.name("p99").value(endpoint.p99Nanos());
    json.name("notKnown").value(Parts.of(endpoint.measured()).nanos(Part.NOT_KNOWN));
    graphs.tally("tally", endpoint.tally());
  }

  private static void notRecorded(JsonWriter json, Optional<String> missing) throws IOException {
    if (missing.isPresent()) {
      json.name("notRecorded").value(missing.get());
    }
  }

  /** Writes the parts of the mean request, and of the mean of the slowest ones. */
  private void parts(JsonWriter json, EndpointResult endpoint, FlameTree tree, int most)
      throws IOException {
    Measured all = endpoint.measured();
    if (all.requests() > 0) {
      PartsJson.write(
          json, "ofMean", sentence.ofMean(all, tree), Parts.of(all).mean(all.requests()));
    }
    Optional<Slowest> slowest = Slowest.of(endpoint, most);
    if (slowest.isPresent()) {
      Measured some = slowest.get().measured();
      PartsJson.write(
          json,
          "ofSlowest",
          sentence.ofMean(some, slowest.get().tree()),
          Parts.of(some).mean(some.requests()));
    }
  }

  /** Writes the patterns by which graphs tell why they wait. */
  private static void patterns(JsonWriter json, String name, Map<String, Pattern> patterns)
      throws IOException {
    json.name(name).beginArray();
    for (Map.Entry<String, Pattern> one : patterns.entrySet()) {
      json.beginArray().value(one.getKey()).value(one.getValue().pattern()).endArray();
    }
    json.endArray();
  }

  private void requests(
      JsonWriter json, Graphs graphs, List<RequestResult> detailed, TracesData traces)
      throws IOException {
    json.name("slowest").beginArray();
    for (RequestResult request : detailed) {
      json.beginObject();
      json.name("trace").value(traces.add(request));
      json.name("span").value(HexFormat.of().toHexDigits(request.spanId()));
      json.name("start").value(request.startNanos() / 1_000_000);
      json.name("duration").value(request.durationNanos());
      FlameTree tree = request.trace().treeOfRequest(request.spanId(), REQUEST_NODES);
      PartsJson.write(
          json, "parts", sentence.of(request.measured(), tree), Parts.ofOne(request.measured()));
      graphs.tally("tally", request.tally());
      json.endObject();
    }
    json.endArray();
  }

  /** The sum of the flame graphs of all endpoints. */
  Tally written() {
    return written;
  }

  /** The same for the baseline, zero without one. */
  Tally writtenBaseline() {
    return writtenBaseline;
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.output;

import com.google.gson.stream.JsonWriter;
import io.flamespan.page.comparison.Comparison;
import io.flamespan.page.comparison.SlowRequests;
import io.flamespan.page.results.Column;
import io.flamespan.page.results.EndpointResult;
import io.flamespan.page.results.FlameTree;
import io.flamespan.page.results.MethodSpreads;
import io.flamespan.page.results.OwnCode;
import io.flamespan.page.results.RequestStacks;
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
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The data of the page as JSON. Counts while writing, for the check of the sums. */
final class PageData {
  private static final int LONGEST_PROBLEM = 500;

  private final Results results;
  private final Optional<Comparison> comparison;
  private final Sentence sentence;
  private final OwnCode own = OwnCode.withoutLibraries();
  private final Tally written = new Tally();
  private Tally writtenBaseline = new Tally();

  PageData(Results results, Optional<Comparison> comparison) {
    this.results = results;
    this.comparison = comparison;
    this.sentence = Sentence.of(results::recorded, name -> name);
  }

  void write(JsonWriter json, List<String> problems) throws IOException {
    List<EndpointResult> endpoints = results.endpoints(PageLimits.ENDPOINTS);
    TimeBins bins = results.timeBins(PageLimits.TIME_BINS);
    List<PageLimits.OfBins> ofBins = endpoints.stream().map(this::ofBins).toList();
    PageLimits limits = PageLimits.of(ofBins, bins.count(), results.received());
    if (limits.timeBins() < bins.count()) {
      bins = results.timeBins(limits.timeBins());
    }
    Graphs graphs = new Graphs(json);
    json.beginObject();
    sums(graphs, json, results);
    PartsJson.texts(json);
    patterns(json, "waitReasons", WaitReasons.reasons());
    patterns(json, "waitsAbout", WaitReasons.about());
    json.name("problems").beginArray();
    for (String problem : problems) {
      json.value(TextFiles.cut(problem, LONGEST_PROBLEM));
    }
    json.endArray();
    // Before all that asks for other requests: ClickHouse sends all of them for what was measured.
    new OverviewData(results, endpoints, bins).write(json, graphs, limits.requests());
    json.name("moreThanCpu")
        .value(
            results.recorded().hasMoreThanCpu()
                && endpoints.stream().anyMatch(one -> one.measured().requests() > 0));
    notRecorded(json, results.recorded().missing());
    TracesData traces = new TracesData(limits);
    List<DetailedRequests> requests =
        endpoints.stream()
            .map(one -> new DetailedRequests(one, limits.requests(), sentence, traces))
            .toList();
    traces.write(json, graphs);
    Set<EndpointResult> split = withMostTime(endpoints);
    BoxLimits boxLimits = BoxLimits.of(split, results.received());
    json.name("endpoints").beginArray();
    for (int place = 0; place < endpoints.size(); place++) {
      EndpointResult endpoint = endpoints.get(place);
      json.beginObject();
      figures(json, graphs, endpoint);
      if (!endpoint.recorded().missing().equals(results.recorded().missing())) {
        notRecorded(json, endpoint.recorded().missing());
      }
      FlameTree tree = endpoint.tree(limits.endpointNodes());
      written.add(tree.tally(0));
      if (endpoint.measured().requests() > 0) {
        mean(json, "ofMean", endpoint.measured(), tree);
      }
      Optional<Slowest> slowest = requests.get(place).slowest();
      if (slowest.isPresent()) {
        mean(json, "ofSlowest", slowest.get().measured(), slowest.get().tree());
      }
      graphs.tree(tree);
      Optional<RequestStacks> stacks = endpoint.stacksForPage();
      boolean isSum = endpoint.service().isEmpty();
      if (stacks.isPresent()) {
        double part = SlowRequests.part(endpoint, endpoints);
        SlowData slow =
            isSum
                ? null
                : new SlowData(
                    endpoint,
                    stacks.get(),
                    limits,
                    Optional.of(boxLimits).filter(of -> split.contains(endpoint)),
                    part);
        methods(json, graphs, endpoint, stacks.get(), tree, limits, slow);
      } else {
        new Spreads(json, graphs, List.of(endpoint)).write(tree);
        if (!isSum && !requests.get(place).isEmpty()) {
          json.name("tooLarge").value(true);
        }
      }
      graphs.lines(endpoint.lines());
      if (results.hasSlices() && bins.count() > 1) {
        graphs.slices(endpoint.slices(bins, limits.sliceNodes(), limits.sliceCells()));
      }
      requests.get(place).write(json, graphs);
      json.endObject();
    }
    json.endArray();
    if (comparison.isPresent()) {
      writtenBaseline = new ComparisonData(comparison.get()).write(json, graphs);
    }
    // After the graphs, which number the frames.
    graphs.frames(sentence);
    json.endObject();
  }

  /**
   * Writes what the stacks of all requests tell of methods, which are walked once for all.
   *
   * @param slow null if its requests are not compared
   */
  private void methods(
      JsonWriter json,
      Graphs graphs,
      EndpointResult endpoint,
      RequestStacks stacks,
      FlameTree tree,
      PageLimits limits,
      @Nullable SlowData slow)
      throws IOException {
    MethodSpreads spreads = new MethodSpreads(stacks);
    MostOfMethods most = new MostOfMethods(stacks, tree, limits.methods());
    stacks.methods(
        slow != null ? Set.of(Column.values()) : MethodSpreads.COLUMNS,
        own,
        (place, frame, column, measure, amount) -> {
          spreads.method(place, frame, column, measure, amount);
          most.method(place, frame, column, measure, amount);
          if (slow != null) {
            slow.method(place, frame, column, measure, amount);
          }
        });
    new Spreads(json, graphs, List.of(endpoint), List.of(spreads.spreads())).write(tree);
    most.write(json, graphs);
    if (slow != null) {
      slow.write(json, graphs);
    }
  }

  /** The endpoints that have groups by attributes and parts. */
  private static Set<EndpointResult> withMostTime(List<EndpointResult> endpoints) {
    return endpoints.stream()
        .filter(one -> !one.service().isEmpty())
        .sorted(Comparator.comparingLong(one -> -one.measured().durationNanos()))
        .filter(one -> one.stacksForPage().isPresent())
        .limit(PageLimits.SPLIT_ENDPOINTS)
        .collect(Collectors.toSet());
  }

  private PageLimits.OfBins ofBins(EndpointResult endpoint) {
    int numbers = results.hasSlices() ? PartsJson.numbersOfABin(endpoint.measured()) : 0;
    return new PageLimits.OfBins(endpoint.requests(), numbers);
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

  /** Writes the parts of the mean of several requests. */
  private void mean(JsonWriter json, String name, Measured sum, FlameTree tree) throws IOException {
    PartsJson.write(json, name, sentence.ofMean(sum, tree), Parts.of(sum).mean(sum.requests()));
  }

  /** Writes the patterns by which graphs tell why they wait, with the parts of these waits. */
  private static void patterns(JsonWriter json, String name, Map<String, Pattern> patterns)
      throws IOException {
    json.name(name).beginArray();
    for (Map.Entry<String, Pattern> one : patterns.entrySet()) {
      json.beginArray().value(one.getKey()).value(one.getValue().pattern());
      json.value(WaitReasons.part(one.getKey()).key()).endArray();
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

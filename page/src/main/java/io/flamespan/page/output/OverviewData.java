/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.output;

import com.google.gson.stream.JsonWriter;
import io.flamespan.page.results.EndpointResult;
import io.flamespan.page.results.Measure;
import io.flamespan.page.results.Results;
import io.flamespan.page.results.ThreadResult;
import io.flamespan.page.results.TimeBins;
import io.flamespan.page.timeline.Part;
import io.flamespan.page.timeline.Parts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The data of the first screen: amounts over time, requests by duration and amounts, and threads
 * that served no request.
 */
final class OverviewData {
  private static final int SHOWN_ENDPOINTS = 7; // as many as there are distinct colours
  private static final int MOST_REQUESTS = 20_000;
  private static final long NANOS_OF_A_MILLI = 1_000_000;
  private static final int MOST_THREADS = 20;
  private static final int THREAD_NODES = 2_000;

  private final Results results;
  private final List<EndpointResult> endpoints;
  private final TimeBins bins;

  OverviewData(Results results, List<EndpointResult> endpoints, TimeBins bins) {
    this.results = results;
    this.endpoints = endpoints;
    this.bins = bins;
  }

  /**
   * Writes all charts.
   *
   * @param detailed how many requests of each endpoint have details, by each measure
   */
  void write(JsonWriter json, Graphs graphs, int detailed) throws IOException {
    overTime(json);
    halts(json);
    requests(json, detailed);
    threads(json, graphs);
  }

  /**
   * Writes by bin how long processes were stopped or throttled, with the causes. Each counts in its
   * first bin, and has time in all of its bins.
   */
  private void halts(JsonWriter json) throws IOException {
    Map<Integer, Map<String, long[]>> byBin = new TreeMap<>();
    for (Results.Halt halt : results.halts()) {
      double part = (double) halt.nanos() / Math.max(1, halt.endNanos() - halt.beginNanos());
      boolean first = true;
      for (int bin = bins.firstSince(halt.beginNanos());
          bin < bins.count() && bins.beginNanos(bin) < halt.endNanos();
          bin++) {
        long begin = Math.max(halt.beginNanos(), bins.beginNanos(bin));
        long end = Math.min(halt.endNanos(), bins.beginNanos(bin + 1));
        if (begin < end) {
          long[] sums =
              byBin
                  .computeIfAbsent(bin, added -> new TreeMap<>())
                  .computeIfAbsent(halt.cause(), added -> new long[2]);
          sums[0] += first ? 1 : 0;
          sums[1] += Math.round(part * (end - begin));
          first = false;
        }
      }
    }
    json.name("halts").beginArray();
    for (Map.Entry<Integer, Map<String, long[]>> ofBin : byBin.entrySet()) {
      json.beginArray().value(ofBin.getKey());
      for (Map.Entry<String, long[]> of : ofBin.getValue().entrySet()) {
        json.beginArray().value(Graphs.cut(of.getKey()));
        json.value(of.getValue()[0]).value(of.getValue()[1]).endArray();
      }
      json.endArray();
    }
    json.endArray();
  }

  /** Writes the series of CPU time, whose endpoints are the first, and of other measures. */
  private void overTime(JsonWriter json) throws IOException {
    json.name("overTime").beginObject();
    json.name("start").value(bins.start()).name("width").value(bins.width());
    for (Measure measure : results.received().measures()) {
      List<Integer> most = most(measure);
      long[][] rows = results.overTime(measure, most.stream().map(endpoints::get).toList(), bins);
      if (measure == Measure.CPU) {
        series(json, measure, rows);
      } else {
        json.name(Graphs.amounts(measure)).beginObject();
        json.name("endpoints").beginArray();
        for (int endpoint : most) {
          json.value(endpoint);
        }
        json.endArray();
        series(json, measure, rows);
        json.endObject();
      }
    }
    json.endObject();
  }

  /** The endpoints with the most of a measure, without one that sums up others. */
  private List<Integer> most(Measure measure) {
    return IntStream.range(0, endpoints.size())
        .boxed()
        .filter(place -> !endpoints.get(place).service().isEmpty())
        .sorted(Comparator.comparingLong(place -> -endpoints.get(place).tally().amount(measure)))
        .limit(SHOWN_ENDPOINTS)
        .toList();
  }

  /** Writes a series for each endpoint, for all others, and for no request. */
  private void series(JsonWriter json, Measure measure, long[][] rows) throws IOException {
    json.name("series").beginArray();
    for (long[] row : rows) {
      json.beginArray();
      for (long amount : row) {
        json.value(amount);
      }
      json.endArray();
    }
    json.endArray();
    json.name("outside").value(results.outside(measure, bins));
  }

  /**
   * Writes the requests without details, by columns: with their ids, so that a reader finds the
   * request that he has, and with their times. The ids are one string.
   */
  private void requests(JsonWriter json, int detailed) throws IOException {
    long all = endpoints.stream().mapToLong(EndpointResult::requests).sum();
    int step = (int) Math.max(1, (all + MOST_REQUESTS - 1) / MOST_REQUESTS);
    List<EndpointResult.Dot> written = new ArrayList<>();
    json.name("requests").beginObject();
    json.name("endpoint").beginArray();
    long shown = 0;
    for (int number = 0; number < endpoints.size(); number++) {
      List<EndpointResult.Dot> dots = endpoints.get(number).others(detailed, step);
      shown += dots.size() + endpoints.get(number).detailed(detailed).size();
      for (EndpointResult.Dot dot : dots) {
        json.value(number);
        written.add(dot);
      }
    }
    json.endArray();
    column(json, "start", written, dot -> dot.startNanos() / NANOS_OF_A_MILLI);
    column(json, "duration", written, EndpointResult.Dot::durationNanos);
    for (Measure measure : results.received().measures()) {
      column(json, Graphs.amounts(measure), written, dot -> dot.tally().amount(measure));
    }
    column(json, "notKnown", written, dot -> Parts.ofOne(dot.measured()).nanos(Part.NOT_KNOWN));
    json.name("trace").value(joined(written, EndpointResult.Dot::traceId));
    json.name("span").value(joined(written, dot -> HexFormat.of().toHexDigits(dot.spanId())));
    json.name("leftOut").value(all - shown);
    json.endObject();
  }

  private static void column(
      JsonWriter json,
      String name,
      List<EndpointResult.Dot> dots,
      ToLongFunction<EndpointResult.Dot> value)
      throws IOException {
    json.name(name).beginArray();
    for (EndpointResult.Dot dot : dots) {
      json.value(value.applyAsLong(dot));
    }
    json.endArray();
  }

  private static String joined(
      List<EndpointResult.Dot> dots, Function<EndpointResult.Dot, String> id) {
    return dots.stream().map(id).collect(Collectors.joining());
  }

  private void threads(JsonWriter json, Graphs graphs) throws IOException {
    json.name("threads").beginArray();
    for (ThreadResult thread : results.threads(MOST_THREADS)) {
      json.beginObject().name("name").value(Graphs.cut(thread.name()));
      json.name("process").value(Graphs.cut(thread.process()));
      graphs.tally("tally", thread.tally());
      graphs.tree(thread.tree(THREAD_NODES));
      graphs.lines(thread.lines());
      json.endObject();
    }
    json.endArray();
  }
}

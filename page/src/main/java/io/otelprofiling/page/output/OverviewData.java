/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.page.output;

import com.google.gson.stream.JsonWriter;
import io.otelprofiling.page.results.EndpointResult;
import io.otelprofiling.page.results.Results;
import io.otelprofiling.page.results.Tally;
import io.otelprofiling.page.results.TimeBins;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * The data of the charts on the first screen: CPU time over time, requests by duration and CPU
 * time, and threads that served no request.
 */
final class OverviewData {
  private static final int SHOWN_ENDPOINTS = 7; // as many as there are distinct colours
  private static final int MOST_DOTS = 4_000;
  private static final int MOST_THREADS = 20;

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
   * @param listed how many requests of each endpoint have a view
   */
  void write(JsonWriter json, Graphs graphs, int listed) throws IOException {
    overTime(json);
    dots(json, listed);
    threads(json, graphs);
  }

  /** Writes a series for each of the endpoints with most CPU time, for all others, and for none. */
  private void overTime(JsonWriter json) throws IOException {
    json.name("overTime").beginObject();
    json.name("start").value(bins.start()).name("width").value(bins.width());
    json.name("series").beginArray();
    for (long[] row : results.cpuOverTime(Math.min(SHOWN_ENDPOINTS, endpoints.size()), bins)) {
      json.beginArray();
      for (long nanos : row) {
        json.value(nanos);
      }
      json.endArray();
    }
    json.endArray().endObject();
  }

  /** Writes endpoint, duration, CPU time, and the place among the listed requests or -1. */
  private void dots(JsonWriter json, int listed) throws IOException {
    long requests = endpoints.stream().mapToLong(EndpointResult::requests).sum();
    int step = (int) Math.max(1, requests / MOST_DOTS);
    json.name("dots").beginArray();
    for (int number = 0; number < endpoints.size(); number++) {
      List<EndpointResult.Dot> dots = endpoints.get(number).dots(listed, step);
      for (int place = 0; place < dots.size(); place++) {
        json.beginArray().value(number).value(dots.get(place).durationNanos());
        json.value(dots.get(place).cpuNanos()).value(place < listed ? place : -1).endArray();
      }
    }
    json.endArray();
    json.name("dotStep").value(step);
  }

  private void threads(JsonWriter json, Graphs graphs) throws IOException {
    List<Map.Entry<String, Tally>> sorted =
        results.threadsWithoutLink().entrySet().stream()
            .filter(thread -> thread.getValue().cpuNanos() > 0)
            .sorted(
                Comparator.comparingLong(
                        (Map.Entry<String, Tally> thread) -> -thread.getValue().cpuNanos())
                    .thenComparing(Map.Entry::getKey))
            .toList();
    Tally others = new Tally();
    json.name("threads").beginArray();
    for (int i = 0; i < sorted.size(); i++) {
      if (i < MOST_THREADS) {
        thread(json, graphs, sorted.get(i).getKey(), sorted.get(i).getValue());
      } else {
        others.add(sorted.get(i).getValue());
      }
    }
    if (sorted.size() > MOST_THREADS) {
      thread(json, graphs, "(" + (sorted.size() - MOST_THREADS) + " others)", others);
    }
    json.endArray();
  }

  private static void thread(JsonWriter json, Graphs graphs, String name, Tally tally)
      throws IOException {
    json.beginObject().name("name").value(Graphs.cut(name));
    graphs.tally("tally", tally);
    json.endObject();
  }
}

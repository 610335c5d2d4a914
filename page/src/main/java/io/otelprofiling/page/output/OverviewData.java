/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.page.output;

import com.google.gson.stream.JsonWriter;
import io.otelprofiling.page.results.EndpointResult;
import io.otelprofiling.page.results.Results;
import io.otelprofiling.page.results.ThreadResult;
import io.otelprofiling.page.results.TimeBins;
import java.io.IOException;
import java.util.List;

/**
 * The data of the charts on the first screen: CPU time over time, requests by duration and CPU
 * time, and threads that served no request.
 */
final class OverviewData {
  private static final int SHOWN_ENDPOINTS = 7; // as many as there are distinct colours
  private static final int MOST_DOTS = 4_000;
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
    json.endArray();
    json.name("outside").value(results.cpuOutside(bins));
    json.endObject();
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

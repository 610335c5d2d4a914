/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.examples.flamegraphs.output;

import com.google.gson.stream.JsonWriter;
import io.otelprofiling.examples.flamegraphs.model.CpuOverTime;
import io.otelprofiling.examples.flamegraphs.model.Endpoint;
import io.otelprofiling.examples.flamegraphs.model.Profiles;
import io.otelprofiling.examples.flamegraphs.model.Request;
import io.otelprofiling.examples.flamegraphs.model.SampledSpan;
import io.otelprofiling.examples.flamegraphs.model.Tally;
import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * What the charts of the first screen show: CPU time over time, requests by their duration and CPU
 * time, and threads that served none.
 */
final class OverviewData {
  private static final int MOST_BINS = 240;
  private static final int SHOWN_ENDPOINTS = 7; // colours that can be told apart
  private static final int MOST_DOTS = 4_000;
  private static final int MOST_THREADS = 20;

  private final Profiles profiles;
  private final List<Endpoint> endpoints;

  OverviewData(Profiles profiles, List<Endpoint> endpoints) {
    this.profiles = profiles;
    this.endpoints = endpoints;
  }

  /**
   * Writes all of it.
   *
   * @param listed how many requests of each endpoint have a view of their own
   */
  void write(JsonWriter json, int listed) throws IOException {
    overTime(json);
    dots(json, listed);
    threads(json);
  }

  /** The series are those of the endpoints with most CPU time, of all others, and of none. */
  private void overTime(JsonWriter json) throws IOException {
    int shown = Math.min(SHOWN_ENDPOINTS, endpoints.size());
    int[] series = seriesOfLinks(shown);
    int[] range = {Integer.MAX_VALUE, 0};
    profiles
        .overTime()
        .forEach(
            (link, second, nanos) -> {
              range[0] = Math.min(range[0], second);
              range[1] = Math.max(range[1], second);
            });
    long seconds = range[1] < range[0] ? 0 : range[1] - range[0] + 1L;
    long width = Math.max(1, (seconds + MOST_BINS - 1) / MOST_BINS);
    long[][] nanos = new long[shown + 2][(int) ((seconds + width - 1) / width)];
    profiles
        .overTime()
        .forEach(
            (link, second, cpu) -> {
              int number = link == CpuOverTime.NO_LINK ? shown + 1 : series[link];
              nanos[number][(int) ((second - range[0]) / width)] += cpu;
            });
    json.name("overTime").beginObject();
    json.name("start").value(seconds == 0 ? 0 : range[0]).name("width").value(width);
    json.name("series").beginArray();
    for (long[] values : nanos) {
      json.beginArray();
      for (long value : values) {
        json.value(value);
      }
      json.endArray();
    }
    json.endArray().endObject();
  }

  private int[] seriesOfLinks(int shown) {
    int[] series = new int[profiles.samples().links().size()];
    Arrays.fill(series, shown); // a Link that was not joined is of another endpoint
    for (int number = 0; number < shown; number++) {
      for (Request request : endpoints.get(number).requests()) {
        for (SampledSpan span : request.sampled()) {
          series[span.link()] = number;
        }
      }
    }
    return series;
  }

  /** Endpoint, duration, CPU time, and the place among the listed requests or -1. */
  private void dots(JsonWriter json, int listed) throws IOException {
    long requests = endpoints.stream().mapToLong(endpoint -> endpoint.requests().size()).sum();
    int step = (int) Math.max(1, requests / MOST_DOTS);
    json.name("dots").beginArray();
    for (int number = 0; number < endpoints.size(); number++) {
      List<Request> all = endpoints.get(number).requests();
      for (int place = 0; place < all.size(); place += place < listed ? 1 : step) {
        json.beginArray().value(number).value(all.get(place).span().durationNanos());
        json.value(all.get(place).tally().cpuNanos());
        json.value(place < listed ? place : -1).endArray();
      }
    }
    json.endArray();
    json.name("dotStep").value(step);
  }

  private void threads(JsonWriter json) throws IOException {
    List<Map.Entry<String, Tally>> sorted =
        profiles.threadsWithoutLink().entrySet().stream()
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
        thread(json, sorted.get(i).getKey(), sorted.get(i).getValue());
      } else {
        others.add(sorted.get(i).getValue());
      }
    }
    if (sorted.size() > MOST_THREADS) {
      thread(json, "(" + (sorted.size() - MOST_THREADS) + " others)", others);
    }
    json.endArray();
  }

  private static void thread(JsonWriter json, String name, Tally tally) throws IOException {
    json.beginObject().name("name").value(PageData.cut(name)).name("tally");
    PageData.tally(json, tally);
    json.endObject();
  }
}

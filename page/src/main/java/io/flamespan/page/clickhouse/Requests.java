/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.clickhouse;

import io.flamespan.page.results.EndpointResult.Dot;
import io.flamespan.page.results.RequestResult;
import io.flamespan.page.results.Tally;
import io.flamespan.page.timeline.Measured;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The largest requests of each endpoint, one in each step of the others, and all of some endpoints.
 */
final class Requests {
  private record Row(
      String trace,
      String span,
      long key,
      long start,
      boolean hasDuration,
      long duration,
      Tally tally) {}

  private final int listed;
  private final int step;
  private final List<Long> complete;
  private final Map<Long, List<Row>> detailed = new HashMap<>();
  private final Map<Long, List<Row>> others = new HashMap<>();
  private final Map<Long, List<Row>> all = new HashMap<>();
  private final Map<Long, Long> p99 = new HashMap<>();
  private final Query query;
  private final Set<Long> keys = new HashSet<>();
  private final Traces traces;
  private @Nullable Map<Long, Measured> measured;

  /**
   * @param endpoints as a parameter
   * @param order their keys, in the order of the page, which writes their traces one after the
   *     other
   * @param complete keys of endpoints of which all requests are read
   */
  Requests(
      Query query, String endpoints, List<Long> order, int listed, int step, List<Long> complete) {
    this.query = query;
    this.listed = listed;
    this.step = step;
    this.complete = complete;
    query.run(
        "page-requests.sql",
        Map.of(
            "endpoints",
            endpoints,
            "listed",
            listed,
            "step",
            step,
            "complete",
            Query.keys(complete)),
        row -> {
          long endpoint = row.getLong("endpoint");
          Row read =
              new Row(
                  row.getString("traceId"),
                  row.getString("spanId"),
                  row.getLong("request"),
                  row.getLong("start"),
                  row.getLong("hasDuration") != 0,
                  row.getLong("duration"),
                  Query.tally(row));
          if (row.getLong("isListed") != 0) {
            detailed.computeIfAbsent(endpoint, added -> new ArrayList<>()).add(read);
            keys.add(read.key());
          }
          if (row.getLong("isOther") != 0) {
            others.computeIfAbsent(endpoint, added -> new ArrayList<>()).add(read);
            keys.add(read.key());
          }
          if (row.getLong("isOfComplete") != 0) {
            all.computeIfAbsent(endpoint, added -> new ArrayList<>()).add(read);
            keys.add(read.key());
          }
          if (row.getLong("isP99") != 0) {
            p99.put(endpoint, read.duration());
          }
        });
    List<String> ids = new ArrayList<>();
    order.forEach(key -> detailed.getOrDefault(key, List.of()).forEach(row -> ids.add(row.trace)));
    traces = new Traces(query, ids);
  }

  boolean has(int most, int everyStep) {
    return most == listed && everyStep == step;
  }

  boolean hasAll(List<Long> endpoints) {
    return complete.containsAll(endpoints);
  }

  boolean has(int most) {
    return most == listed;
  }

  long p99Nanos(long endpoint) {
    return Objects.requireNonNull(p99.get(endpoint));
  }

  private Measured measured(Row row) {
    if (measured == null) {
      measured = query.timeLines().ofRequests(keys);
    }
    // Of live data, it may no longer be a request when these are read, as its parent has arrived.
    return measured.getOrDefault(row.key, new Measured(row.duration));
  }

  List<RequestResult> detailed(long endpoint) {
    return detailed.getOrDefault(endpoint, List.of()).stream()
        .map(
            row ->
                new RequestResult(
                    traces.trace(row.trace),
                    Long.parseUnsignedLong(row.span, 16),
                    row.start,
                    row.hasDuration,
                    row.duration,
                    row.tally,
                    measured(row)))
        .toList();
  }

  List<Dot> others(long endpoint) {
    return dots(others.getOrDefault(endpoint, List.of()));
  }

  /** Of an endpoint of which all are read. */
  List<Dot> all(long endpoint) {
    return dots(all.getOrDefault(endpoint, List.of()));
  }

  private List<Dot> dots(List<Row> rows) {
    return rows.stream()
        .map(
            row ->
                new Dot(
                    row.trace,
                    Long.parseUnsignedLong(row.span, 16),
                    row.start,
                    row.hasDuration,
                    row.duration,
                    row.tally,
                    measured(row)))
        .toList();
  }
}

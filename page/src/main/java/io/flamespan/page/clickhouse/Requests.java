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
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The largest requests of each endpoint, and one in each step of the others. */
final class Requests {
  private record Row(
      String trace, String span, long start, long duration, Tally tally, Measured measured) {}

  private final int listed;
  private final int step;
  private final Map<Long, List<Row>> detailed = new HashMap<>();
  private final Map<Long, List<Row>> others = new HashMap<>();
  private final Map<Long, Long> p99 = new HashMap<>();
  private final Traces traces;

  /**
   * @param endpoints as a parameter
   * @param order their keys, in the order of the page, which writes their traces one after the
   *     other
   */
  Requests(Query query, String endpoints, List<Long> order, int listed, int step) {
    this.listed = listed;
    this.step = step;
    Map<String, Object> parameters = new HashMap<>(TimeLines.patterns());
    parameters.putAll(Map.of("endpoints", endpoints, "listed", listed, "step", step));
    query.run(
        "page-requests.sql",
        parameters,
        row -> {
          long endpoint = row.getLong("endpoint");
          Row read =
              new Row(
                  row.getString("traceId"),
                  row.getString("spanId"),
                  row.getLong("start"),
                  row.getLong("duration"),
                  Query.tally(row),
                  query.timeLines().of(row));
          if (row.getLong("isListed") != 0) {
            detailed.computeIfAbsent(endpoint, added -> new ArrayList<>()).add(read);
          }
          if (row.getLong("isOther") != 0) {
            others.computeIfAbsent(endpoint, added -> new ArrayList<>()).add(read);
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

  boolean has(int most) {
    return most == listed;
  }

  long p99Nanos(long endpoint) {
    return Objects.requireNonNull(p99.get(endpoint));
  }

  List<RequestResult> detailed(long endpoint) {
    return detailed.getOrDefault(endpoint, List.of()).stream()
        .map(
            row ->
                new RequestResult(
                    traces.trace(row.trace),
                    Long.parseUnsignedLong(row.span, 16),
                    row.start,
                    row.duration,
                    row.tally,
                    row.measured))
        .toList();
  }

  List<Dot> others(long endpoint) {
    return others.getOrDefault(endpoint, List.of()).stream()
        .map(
            row ->
                new Dot(
                    row.trace,
                    Long.parseUnsignedLong(row.span, 16),
                    row.start,
                    row.duration,
                    row.tally,
                    row.measured))
        .toList();
  }
}

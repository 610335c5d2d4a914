/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.clickhouse;

import com.clickhouse.client.api.data_formats.ClickHouseBinaryFormatReader;
import io.flamespan.page.results.Measure;
import io.flamespan.page.results.Tally;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Runs queries for one range of time, and for one service unless its name is empty. */
final class Query {
  private final Engine engine;
  private final TimeRange range;
  private final String service;
  private final boolean ofSums;
  private final Map<String, Object> generations = new TreeMap<>(); // of sums, read once
  private @Nullable TimeLines timeLines;

  Query(Engine engine, TimeRange range, String service, boolean ofSums) {
    this.engine = engine;
    this.range = range;
    this.service = service;
    this.ofSums = ofSums;
  }

  /** Whether the sums are read, which have no single request. */
  boolean isOfSums() {
    return ofSums;
  }

  /**
   * Ends a question about single requests.
   *
   * @throws UncheckedIOException with a line for the user if sums are read
   */
  void requireRequests() {
    if (ofSums) {
      throw new UncheckedIOException(
          new IOException(
              "sums have no single requests: choose a range of up to two hours, or leave out"
                  + " --sums"));
    }
  }

  /** Whether samples of all services are read. */
  boolean isOfAll() {
    return service.isEmpty();
  }

  /** What was measured of requests, read when it is first asked for. */
  TimeLines timeLines() {
    if (timeLines == null) {
      timeLines = ofSums ? TimeLines.unknown(this) : TimeLines.of(this);
    }
    return timeLines;
  }

  void run(String file, Consumer<ClickHouseBinaryFormatReader> row) {
    run(file, Map.of(), row);
  }

  void run(
      String file, Map<String, Object> parameters, Consumer<ClickHouseBinaryFormatReader> row) {
    Map<String, Object> all = new TreeMap<>();
    all.put("traces", "[]");
    all.put("environment", "");
    all.put("threads", "[]");
    all.putAll(parameters);
    all.put("from", range.fromParameter());
    all.put("to", range.toParameter());
    all.put("service", Engine.text(service));
    if (ofSums) {
      all.putAll(generations(all));
      engine.queryOfSums(file, all, row);
    } else {
      engine.query(file, all, row);
    }
  }

  private Map<String, Object> generations(Map<String, Object> ofRange) {
    if (generations.isEmpty()) {
      engine.queryOfSums(
          "page-generations.sql",
          Map.of("from", ofRange.get("from"), "to", ofRange.get("to")),
          row -> {
            generations.put("hours", row.getString("hours"));
            generations.put("stacks", row.getString("stacks"));
          });
    }
    return generations;
  }

  /** Formats a parameter of type Array(UInt64). */
  static String keys(List<Long> keys) {
    return keys.stream().map(Long::toUnsignedString).collect(Collectors.joining(",", "[", "]"));
  }

  static Tally tally(ClickHouseBinaryFormatReader row) {
    return tally(row, "");
  }

  /** Reads the columns whose names end in this. */
  static Tally tally(ClickHouseBinaryFormatReader row, String end) {
    Tally tally = new Tally();
    tally.add(Measure.CPU, row.getLong("samples" + end), row.getLong("cpuNanos" + end));
    tally.add(Measure.WAIT, row.getLong("waits" + end), row.getLong("waitNanos" + end));
    tally.add(Measure.ALLOC, row.getLong("allocations" + end), row.getLong("allocatedBytes" + end));
    tally.add(Measure.LOCK, row.getLong("locks" + end), row.getLong("lockNanos" + end));
    return tally;
  }
}

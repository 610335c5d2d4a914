/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.page.clickhouse;

import io.otelprofiling.page.results.EndpointResult;
import io.otelprofiling.page.results.Results;
import io.otelprofiling.page.results.Tally;
import io.otelprofiling.page.results.TimeBins;
import io.otelprofiling.page.results.Unjoined;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Traces and profiles that ClickHouse stores and joins. Each part is queried once, on demand. */
public final class ClickHouseResults implements Results {
  private final Query query;
  private final List<Figures> endpoints = new ArrayList<>();
  private final Map<Unjoined, Tally> unjoined = new EnumMap<>(Unjoined.class);
  private final Tally received = new Tally();
  private final Map<Integer, ShownEndpoints> shown = new HashMap<>();
  private CpuOverTime cpuOverTime;

  /** Reads one service, or all services if its name is empty. */
  public ClickHouseResults(Engine engine, TimeRange range, String service) {
    query = new Query(engine, range, service);
    for (Unjoined reason : Unjoined.values()) {
      unjoined.put(reason, new Tally());
    }
    query.run(
        "endpoints.sql",
        row -> {
          Tally tally = Query.tally(row);
          String reason = row.getString("reason");
          if (reason.isEmpty()) {
            endpoints.add(
                new Figures(
                    row.getString("endpoint"),
                    row.getString("service"),
                    row.getLong("requests"),
                    row.getDouble("meanNanos"),
                    row.getLong("p99Nanos"),
                    row.getLong("neitherNanos"),
                    tally));
          } else {
            unjoined.get(reasonOf(reason)).add(tally);
          }
          unjoined.get(Unjoined.NEITHER_CPU_NOR_WAIT).add(row.getLong("others"), 0, 0, 0);
          received.add(tally);
          received.add(row.getLong("others"), 0, 0, 0);
        });
  }

  private static Unjoined reasonOf(String text) {
    for (Unjoined reason : Unjoined.values()) {
      if (reason.reason().equals(text)) {
        return reason;
      }
    }
    throw new IllegalStateException("endpoints.sql has the unknown reason " + text);
  }

  @Override
  public Tally received() {
    return received;
  }

  @Override
  public Tally unjoined(Unjoined reason) {
    return unjoined.get(reason);
  }

  @Override
  public Map<String, Tally> threadsWithoutLink() {
    Map<String, Tally> threads = new LinkedHashMap<>();
    query.run("page-threads.sql", row -> threads.put(row.getString("thread"), Query.tally(row)));
    return threads;
  }

  @Override
  public List<EndpointResult> endpoints(int most) {
    return shown
        .computeIfAbsent(
            Math.min(most, endpoints.size() + 1),
            limit -> new ShownEndpoints(query, endpoints, Math.max(1, limit)))
        .endpoints();
  }

  @Override
  public TimeBins timeBins(int most) {
    cpuOverTime = new CpuOverTime(query, endpoints, most);
    return cpuOverTime.bins();
  }

  /** Uses the bins of the last call of {@link #timeBins}. */
  @Override
  public long[][] cpuOverTime(int count, TimeBins bins) {
    return cpuOverTime.rows(count);
  }

  /** Slices would need sums by stack and time, which are too many to fetch. */
  @Override
  public boolean hasSlices() {
    return false;
  }
}

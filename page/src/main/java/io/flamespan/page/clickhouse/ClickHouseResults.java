/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.clickhouse;

import com.clickhouse.client.api.data_formats.ClickHouseBinaryFormatReader;
import io.flamespan.page.results.EndpointResult;
import io.flamespan.page.results.Measure;
import io.flamespan.page.results.Results;
import io.flamespan.page.results.Spread;
import io.flamespan.page.results.Tally;
import io.flamespan.page.results.ThreadResult;
import io.flamespan.page.results.TimeBins;
import io.flamespan.page.results.TraceResult;
import io.flamespan.page.results.Unjoined;
import io.flamespan.page.timeline.Recorded;
import io.flamespan.page.timeline.Recorded.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Traces and profiles that ClickHouse stores and joins. Each part is queried once, on demand. */
public final class ClickHouseResults implements Results {
  private static final int SPAN_ID_DIGITS = 16;

  private final Query query;
  private final List<Figures> endpoints = new ArrayList<>();
  private final Map<Unjoined, Tally> unjoined = new EnumMap<>(Unjoined.class);
  private final Tally received = new Tally();
  private final Map<Integer, ShownEndpoints> shown = new HashMap<>();
  private @Nullable OverTime overTime;
  private @Nullable ClickHouseThreads threads;

  /**
   * Reads one service, or all services if its name is empty.
   *
   * @param ofSums whether the sums by hour are read, of a range in whole hours
   */
  public ClickHouseResults(Engine engine, TimeRange range, String service, boolean ofSums) {
    query = new Query(engine, range, service, ofSums);
    for (Unjoined reason : Unjoined.values()) {
      unjoined.put(reason, new Tally());
    }
    Tally joined = new Tally();
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
                    row.getLong("key"),
                    row.getLong("requests"),
                    row.getDouble("meanNanos"),
                    row.getLong("p99Nanos"),
                    Arrays.stream(Measure.values())
                        .map(measure -> spread(row, measure, tally))
                        .toList(),
                    tally));
          } else {
            unjoined(reasonOf(reason)).add(tally);
          }
          unjoined(Unjoined.NEITHER_CPU_NOR_WAIT).add(Measure.CPU, row.getLong("others"), 0);
          joined.add(tally);
          joined.add(Measure.CPU, row.getLong("others"), 0);
        });
    // The join finds which samples are of one service. Sums by stack are compared with these.
    if (query.isOfAll() && !query.isOfSums()) {
      query.run(
          "page-received.sql",
          row -> {
            received.add(Query.tally(row));
            received.add(Measure.CPU, row.getLong("others"), 0);
          });
    } else {
      received.add(joined);
    }
  }

  private static Spread spread(ClickHouseBinaryFormatReader row, Measure measure, Tally tally) {
    String name = measure.name().toLowerCase(Locale.ROOT);
    Spread spread = new Spread();
    spread.add(
        tally.amount(measure), row.getDouble(name + "Squares"), row.getDouble(name + "Cubes"));
    return spread;
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
  @SuppressWarnings("NullAway") // there is one for each reason
  public Tally unjoined(Unjoined reason) {
    return unjoined.get(reason);
  }

  @Override
  public List<ThreadResult> threads(int most) {
    if (threads == null) {
      threads = new ClickHouseThreads(query);
    }
    return threads.shown(most);
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
    overTime = new OverTime(query, endpoints, most);
    return overTime.bins();
  }

  /** Uses the bins of the last call of {@link #timeBins}. */
  @Override
  public long outside(Measure measure, TimeBins bins) {
    return Objects.requireNonNull(overTime).outside(measure);
  }

  /** Uses the bins of the last call of {@link #timeBins}. */
  @Override
  public long[][] overTime(Measure measure, List<EndpointResult> shown, TimeBins bins) {
    return Objects.requireNonNull(overTime).rows(measure, shown.stream().map(this::keyOf).toList());
  }

  private long keyOf(EndpointResult shown) {
    return endpoints.stream()
        .filter(one -> one.name().equals(shown.name()) && one.service().equals(shown.service()))
        .findFirst()
        .orElseThrow()
        .key();
  }

  @Override
  public Optional<TraceResult> trace(String id) {
    List<String> ids = new ArrayList<>();
    query.requireRequests();
    if (id.length() == SPAN_ID_DIGITS) {
      query.run(
          "page-trace-of-span.sql",
          Map.of("span", Engine.text(id)),
          row -> ids.add(row.getString("traceId")));
    } else {
      ids.add(id);
    }
    return ids.stream()
        .<TraceResult>map(trace -> new Traces(query, ids).trace(trace))
        .filter(trace -> !trace.spans().isEmpty())
        .findFirst();
  }

  @Override
  public Recorded recorded() {
    Set<Kind> kinds = ShownEndpoints.kinds(received);
    kinds.addAll(query.timeLines().recorded());
    return new Recorded(kinds, query.timeLines().periodNanos());
  }

  @Override
  public List<Halt> halts() {
    return query.timeLines().halts();
  }

  /** Slices would need sums by stack and time, which are too many to fetch. */
  @Override
  public boolean hasSlices() {
    return false;
  }
}

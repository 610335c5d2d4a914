/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.clickhouse;

import com.clickhouse.client.api.data_formats.ClickHouseBinaryFormatReader;
import io.flamespan.page.results.Frame;
import io.flamespan.page.results.Results;
import io.flamespan.page.results.ThreadName;
import io.flamespan.page.results.WaitReasons;
import io.flamespan.page.timeline.Exact;
import io.flamespan.page.timeline.Held;
import io.flamespan.page.timeline.Intervals;
import io.flamespan.page.timeline.Measured;
import io.flamespan.page.timeline.Part;
import io.flamespan.page.timeline.Recorded.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** What was measured of requests, in ClickHouse but for what depends on the times of stops. */
final class TimeLines {
  private static final int EXACT = 2 * Part.values().length; // the slots of exact waits

  /** What is known of a process by time. */
  private static final class OfProcess {
    final Intervals stops = new Intervals();
    final Intervals throttling = new Intervals();
    boolean runnable;

    void addTo(Set<Kind> kinds) {
      add(kinds, Kind.READY, runnable);
      add(kinds, Kind.STOPS, stops.isKnown());
      add(kinds, Kind.THROTTLING, throttling.isKnown());
    }
  }

  private static void add(Set<Kind> kinds, Kind kind, boolean present) {
    if (present) {
      kinds.add(kind);
    }
  }

  private static final OfProcess NOTHING = new OfProcess();

  /** Of so many spans with the longest waits, it is known who held their locks. */
  private static final int MOST_WITH_HOLDERS = 10_000;

  private final Map<String, Measured> holders = new HashMap<>(); // by trace and span
  private final Map<String, Measured> holdersOfRequests = new HashMap<>();
  private boolean haveHolders;
  private final Map<Long, OfProcess> processes = new HashMap<>();
  private final Map<Long, Measured> endpoints = new HashMap<>();
  private final Map<Long, Set<Kind>> recorded = new HashMap<>(); // by endpoint
  private long periodNanos;

  TimeLines(Query query) {
    query.run(
        "page-halts.sql",
        row -> {
          OfProcess process = process(row.getLong("process"));
          boolean stop = row.getLong("isStop") != 0;
          (stop ? process.stops : process.throttling)
              .add(row.getLong("begin"), row.getLong("nanos"), stop ? row.getString("cause") : "");
        });
    processes
        .values()
        .forEach(
            process -> {
              process.stops.sort();
              process.throttling.sortLooks();
            });
    query.run(
        "page-recorded.sql",
        patterns(),
        row -> {
          process(row.getLong("process")).runnable = row.getLong("hasRunnable") != 0;
          haveHolders |= row.getLong("hasHolders") != 0;
          shorter(row.getLong("cpuPeriod"));
          shorter(row.getLong("waitPeriod"));
        });
    query.run(
        "page-parts.sql",
        patterns(),
        row -> {
          Exact exact = exact(row);
          Set<Kind> kinds =
              recorded.computeIfAbsent(row.getLong("key"), key -> EnumSet.noneOf(Kind.class));
          add(kinds, Kind.STOPS, exact.stoppedNanos() >= 0);
          add(kinds, Kind.EXACT_CPU, exact.cpuNanos() >= 0);
          add(kinds, Kind.READY, exact.runQueueNanos() >= 0);
          processes.getOrDefault(row.getLong("process"), NOTHING).addTo(kinds);
          endpoints
              .computeIfAbsent(row.getLong("key"), key -> Measured.sum())
              .add(withoutHolders(row));
        });
    if (haveHolders) {
      addHolders(query);
    }
  }

  private void addHolders(Query query) {
    WaitReasons reasons = new WaitReasons();
    query.run(
        "page-holders.sql",
        row -> {
          Frame lock = Frame.of(row.getString("lock"), "", Frame.CLASS);
          String thread = row.getString("thread");
          Held held =
              Held.of(
                  reasons.ofLock(lock),
                  lock.name(),
                  row.getLong("isOfRequest") != 0,
                  row.getString("request"),
                  thread.isEmpty() ? "" : ThreadName.of(thread));
          long nanos = row.getLong("nanos");
          endpoints.computeIfAbsent(row.getLong("key"), key -> Measured.sum()).held(held, nanos);
          String trace = row.getString("traceId");
          add(holders, trace + row.getString("spanId"), held, nanos);
          add(holdersOfRequests, trace + row.getString("rootId"), held, nanos);
        });
  }

  private static void add(Map<String, Measured> to, String key, Held held, long nanos) {
    if (to.size() < MOST_WITH_HOLDERS || to.containsKey(key)) {
      to.computeIfAbsent(key, added -> new Measured(0)).held(held, nanos);
    }
  }

  private static void addHolders(
      Map<String, Measured> from, ClickHouseBinaryFormatReader row, Measured to) {
    Measured found =
        from.isEmpty() ? null : from.get(row.getString("traceId") + row.getString("spanId"));
    if (found != null) {
      to.addSamples(found);
    }
  }

  private OfProcess process(long key) {
    return processes.computeIfAbsent(key, added -> new OfProcess());
  }

  private void shorter(long period) {
    periodNanos = period > 0 && (periodNanos == 0 || period < periodNanos) ? period : periodNanos;
  }

  /** The parameters of statements with parts-of-spans.sql. */
  static Map<String, Object> patterns() {
    Map<String, Object> parameters = new TreeMap<>();
    for (Pattern reason : WaitReasons.reasons().values()) {
      parameters.put("reason" + parameters.size(), Engine.text(reason.pattern()));
    }
    int reasons = parameters.size();
    for (Pattern about : WaitReasons.about().values()) {
      parameters.put("about" + (parameters.size() - reasons), Engine.text(about.pattern()));
    }
    return parameters;
  }

  /** Of the request of a row. */
  Measured of(ClickHouseBinaryFormatReader row) {
    Measured measured = withoutHolders(row);
    addHolders(holdersOfRequests, row, measured);
    return measured;
  }

  private Measured withoutHolders(ClickHouseBinaryFormatReader row) {
    OfSpan span = new OfSpan(row);
    Measured measured = new Measured(row.getLong("duration"));
    measured.addSamples(span.samples());
    span.addTimes(measured);
    return measured;
  }

  /** The samples of a span alone, and what is known of it by time. */
  final class OfSpan {
    private final Measured samples = new Measured(0);
    private final OfProcess process;
    private final long start;
    private final long duration;
    private final Exact exact;

    private OfSpan(ClickHouseBinaryFormatReader row) {
      process = processes.getOrDefault(row.getLong("process"), NOTHING);
      start = row.getLong("start");
      duration = row.getLong("duration");
      exact = exact(row);
      addSamplesOf(row, process, samples);
    }

    Measured samples() {
      return samples;
    }

    void addTimes(Measured to) {
      to.addTimes(
          start, start + duration, process.stops, process.throttling, process.runnable, exact);
    }
  }

  OfSpan ofSpan(ClickHouseBinaryFormatReader row) {
    OfSpan span = new OfSpan(row);
    addHolders(holders, row, span.samples());
    return span;
  }

  private static void addSamplesOf(
      ClickHouseBinaryFormatReader row, OfProcess process, Measured measured) {
    List<Long> slots = row.getList("partSlots");
    List<Long> counts = row.getList("partCounts");
    List<Long> nanos = row.getList("partNanos");
    for (int place = 0; place < slots.size(); place++) {
      int slot = slots.get(place).intValue();
      // The time of stops is known without what waited for their end.
      boolean stop = slot % EXACT == Part.STOPPED.ordinal() && process.stops.isKnown();
      measured.add(
          stop ? slot + Part.OTHER_WAIT.ordinal() : slot, counts.get(place), nanos.get(place));
    }
    measured.period(row.getLong("longest"));
  }

  private static Exact exact(ClickHouseBinaryFormatReader row) {
    List<Double> seconds = row.getList("exactSeconds");
    return seconds.isEmpty()
        ? Exact.NONE
        : Exact.of(seconds.get(0), seconds.get(1), seconds.get(2), row.getLong("duration"));
  }

  Measured ofEndpoint(long key) {
    return endpoints.getOrDefault(key, Measured.sum());
  }

  /** Of endpoints, by what their spans and processes have, beside what samples they have. */
  Set<Kind> recorded(long key) {
    return recorded.getOrDefault(key, Set.of());
  }

  /** Of all processes and spans, beside what samples they have. */
  Set<Kind> recorded() {
    Set<Kind> kinds = EnumSet.noneOf(Kind.class);
    recorded.values().forEach(kinds::addAll);
    processes.values().forEach(process -> process.addTo(kinds));
    return kinds;
  }

  /** 0 if it is unknown. */
  long periodNanos() {
    return periodNanos;
  }

  List<Results.Halt> halts() {
    List<Results.Halt> halts = new ArrayList<>();
    for (OfProcess process : processes.values()) {
      process.stops.forEach(
          (begin, end, nanos, cause) -> halts.add(Results.Halt.stop(begin, end, nanos, cause)));
      process.throttling.forEach(
          (begin, end, nanos, cause) -> halts.add(Results.Halt.throttling(begin, end, nanos)));
    }
    halts.sort(Comparator.comparingLong(Results.Halt::beginNanos));
    return halts;
  }
}

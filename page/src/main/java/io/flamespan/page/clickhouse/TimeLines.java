/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.clickhouse;

import com.clickhouse.client.api.data_formats.ClickHouseBinaryFormatReader;
import io.flamespan.page.results.Results;
import io.flamespan.page.results.WaitReasons;
import io.flamespan.page.timeline.Exact;
import io.flamespan.page.timeline.Extent;
import io.flamespan.page.timeline.Intervals;
import io.flamespan.page.timeline.Measured;
import io.flamespan.page.timeline.Part;
import io.flamespan.page.timeline.Recorded.Kind;
import io.flamespan.page.timeline.RequestSamples;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What was measured of requests. Each is read, measured, added to its endpoint, and forgotten. */
final class TimeLines {
  private static final Part[] PARTS = Part.values();
  private static final RequestSamples.Kind[] KINDS = RequestSamples.Kind.values();
  private static final int ALLOCATIONS = KINDS.length; // the kind of samples with times alone

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

  private final Query query;
  private boolean haveHolders;
  private @Nullable LockHolders holders;
  private final Map<Long, OfProcess> processes = new HashMap<>();
  private final Set<Long> differing = new HashSet<>(); // processes with another clock
  private final Map<Long, Set<Kind>> recorded = new HashMap<>(); // by endpoint
  private @Nullable Sums sums;
  private Set<Kind> notAsked = Set.of(); // kinds that may have been recorded
  private long periodNanos;

  private TimeLines(Query query) {
    this.query = query;
  }

  static TimeLines of(Query query) {
    TimeLines read = new TimeLines(query);
    read.readProcesses();
    return read;
  }

  /** Nothing was measured, and whether it was recorded is not asked. */
  static TimeLines unknown(Query query) {
    TimeLines nothing = new TimeLines(query);
    nothing.sums = new Sums();
    nothing.notAsked = Set.of(Kind.READY, Kind.STOPS);
    return nothing;
  }

  private void readProcesses() {
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
        Map.copyOf(patterns()),
        row -> {
          process(row.getLong("process")).runnable = row.getLong("hasRunnable") != 0;
          haveHolders |= row.getLong("hasHolders") != 0;
          shorter(row.getLong("cpuPeriod"));
          shorter(row.getLong("waitPeriod"));
        });
  }

  /** What was measured of endpoints, and of the requests that were asked for. */
  private static final class Sums {
    final Map<Long, Measured> endpoints = new HashMap<>();
    final Map<Long, Measured> requests = new HashMap<>();

    void add(long endpoint, long request, Measured measured, boolean timed, Set<Long> asked) {
      Measured sum = endpoints.computeIfAbsent(endpoint, key -> Measured.sum());
      if (timed) {
        sum.add(measured);
      }
      if (asked.contains(request)) {
        requests.put(request, measured);
      }
    }

    void add(Sums other) {
      other.endpoints.forEach(
          (endpoint, sum) -> endpoints.computeIfAbsent(endpoint, key -> Measured.sum()).add(sum));
      requests.putAll(other.requests);
    }
  }

  /**
   * Reads all requests. Of those whose samples are moved, the last request of their process may
   * tell whether their clocks differ, so they are measured both ways.
   */
  private Sums read(Set<Long> asked) {
    Sums read = new Sums();
    Set<Long> agreeing = new HashSet<>();
    Map<Long, Sums> ifAgreeing = new HashMap<>();
    Map<Long, Sums> ifDiffering = new HashMap<>();
    query.run(
        "page-parts.sql",
        Map.copyOf(patterns()),
        row -> {
          OfSpan request = new OfSpan(row);
          long endpoint = row.getLong("key");
          long key = row.getLong("request");
          boolean timed = row.getLong("hasDuration") != 0;
          addKinds(endpoint, request);
          if (request.extent.isMoved(request.start, request.end())) {
            long process = request.processKey;
            ifAgreeing
                .computeIfAbsent(process, added -> new Sums())
                .add(endpoint, key, request.measured(true), timed, asked);
            ifDiffering
                .computeIfAbsent(process, added -> new Sums())
                .add(endpoint, key, request.measured(false), timed, asked);
          } else {
            if (request.extent.agrees(request.start, request.end())) {
              agreeing.add(request.processKey);
            }
            read.add(endpoint, key, request.measured(true), timed, asked);
          }
        });
    differing.clear();
    differing.addAll(ifDiffering.keySet());
    differing.removeAll(agreeing);
    ifAgreeing.keySet().removeAll(differing);
    ifDiffering.keySet().removeAll(agreeing);
    ifAgreeing.values().forEach(read::add);
    ifDiffering.values().forEach(read::add);
    read.endpoints.forEach(holders()::addOfEndpoint);
    read.requests.forEach(holders()::addOfRequest);
    return read;
  }

  private void addKinds(long endpoint, OfSpan request) {
    Set<Kind> kinds = recorded.computeIfAbsent(endpoint, key -> EnumSet.noneOf(Kind.class));
    add(kinds, Kind.STOPS, request.exact.stoppedNanos() >= 0);
    add(kinds, Kind.EXACT_CPU, request.exact.cpuNanos() >= 0);
    add(kinds, Kind.READY, request.exact.runQueueNanos() >= 0);
    request.process.addTo(kinds);
  }

  private Sums sums() {
    if (sums == null) {
      sums = read(Set.of());
    }
    return sums;
  }

  /** Reads all requests, unless they were read, so that it is known whose clocks differ. */
  void readRequests() {
    sums();
  }

  private LockHolders holders() {
    if (holders == null) {
      holders = haveHolders ? new LockHolders(query) : new LockHolders();
    }
    return holders;
  }

  private OfProcess process(long key) {
    return processes.computeIfAbsent(key, added -> new OfProcess());
  }

  private void shorter(long period) {
    periodNanos = period > 0 && (periodNanos == 0 || period < periodNanos) ? period : periodNanos;
  }

  /** The parameters of statements with parts-of-spans.sql, with escapes. */
  static Map<String, String> patterns() {
    Map<String, String> parameters = new TreeMap<>();
    for (Pattern reason : WaitReasons.reasons().values()) {
      parameters.put("reason" + parameters.size(), Engine.text(reason.pattern()));
    }
    int reasons = parameters.size();
    for (Pattern about : WaitReasons.about().values()) {
      parameters.put("about" + (parameters.size() - reasons), Engine.text(about.pattern()));
    }
    return parameters;
  }

  /** Of these requests, by their keys. All are read once more, unless they were not before. */
  Map<Long, Measured> ofRequests(Set<Long> keys) {
    sums = read(keys);
    return sums.requests;
  }

  /** The samples of a span, or of all spans of a request, and what is known of it by time. */
  final class OfSpan {
    private final long processKey;
    private final OfProcess process;
    private final long start;
    private final long duration;
    private final Exact exact;
    private final long[] amounts;
    private final long[] numbers;
    private final long[] codes;
    private final long[] sizes;
    private final long[] moments;
    private final long cpuPeriod;
    private final Extent extent = new Extent();
    private final Measured held = new Measured(0); // locks

    private OfSpan(ClickHouseBinaryFormatReader row) {
      processKey = row.getLong("process");
      process = processes.getOrDefault(processKey, NOTHING);
      start = row.getLong("start");
      duration = row.getLong("duration");
      exact = exact(row);
      amounts = row.getLongArray("amounts");
      numbers = row.getLongArray("numbers");
      codes = row.getLongArray("codes");
      sizes = row.getLongArray("sizes");
      moments = row.getLongArray("moments");
      cpuPeriod = row.getLong("cpuPeriod");
      int moment = 0;
      for (int place = 0; place < sizes.length; place++) {
        for (long i = 0; i < sizes[place]; i++, moment++) {
          if (moments[moment] > 0 && kind(codes[place]) != RequestSamples.Kind.RUNNABLE.ordinal()) {
            extent.add(moments[moment], moments[moment]);
          }
        }
      }
    }

    private long end() {
      return start + duration;
    }

    /** Whether there are samples of the span. */
    boolean isSampled() {
      return amounts.length > 0;
    }

    Extent extent() {
      return extent;
    }

    boolean clocksDiffer(Extent ofRequest) {
      return ofRequest.clocksDiffer(start, end(), !differing.contains(processKey));
    }

    /** Begins to measure the request whose local root span this is. */
    RequestSamples request(boolean clocksDiffer) {
      return new RequestSamples(start, end(), clocksDiffer, process.stops);
    }

    void addTo(RequestSamples request, Measured span) {
      span.addSamples(held);
      int moment = 0;
      for (int place = 0; place < sizes.length; place++) {
        long code = codes[place];
        Part part = PARTS[(int) (code >> 4 & 15)];
        int thread = (int) (code >> 8);
        if (kind(code) == ALLOCATIONS) {
          moment += (int) sizes[place];
          continue;
        }
        for (long i = 0; i < sizes[place]; i++, moment++) {
          request.add(
              span,
              KINDS[kind(code)],
              part,
              thread,
              moments[moment],
              numbers[place],
              amounts[place],
              cpuPeriod);
        }
      }
    }

    private Measured measured(boolean agrees) {
      boolean clocksDiffer = extent.clocksDiffer(start, end(), agrees);
      Measured measured = new Measured(duration);
      RequestSamples request = request(clocksDiffer);
      addTo(request, measured);
      request.measure();
      addTimes(measured, clocksDiffer);
      return measured;
    }

    void addTimes(Measured to, boolean clocksDiffer) {
      OfProcess times = clocksDiffer ? NOTHING : process;
      to.addTimes(start, end(), times.stops, times.throttling, process.runnable, exact);
    }
  }

  private static int kind(long code) {
    return (int) (code & 15);
  }

  /** Of a trace, after {@link #readRequests}. */
  OfSpan ofSpan(ClickHouseBinaryFormatReader row) {
    OfSpan span = new OfSpan(row);
    holders().addOfSpan(row.getString("traceId"), row.getString("spanId"), span.held);
    return span;
  }

  private static Exact exact(ClickHouseBinaryFormatReader row) {
    List<Double> seconds = row.getList("exactSeconds");
    return seconds.isEmpty()
        ? Exact.NONE
        : Exact.of(seconds.get(0), seconds.get(1), seconds.get(2), row.getLong("duration"));
  }

  Measured ofEndpoint(long key) {
    return sums().endpoints.getOrDefault(key, Measured.sum());
  }

  /** Of endpoints, by what their spans and processes have, beside what samples they have. */
  Set<Kind> recorded(long key) {
    sums();
    return recorded.getOrDefault(key, notAsked);
  }

  /** Of all processes and spans, beside what samples they have. */
  Set<Kind> recorded() {
    sums();
    Set<Kind> kinds = EnumSet.noneOf(Kind.class);
    kinds.addAll(notAsked);
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

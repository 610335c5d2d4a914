/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import static io.flamespan.page.Example.MS;
import static io.flamespan.page.Example.START;
import static io.flamespan.page.TraceData.spanId;
import static io.flamespan.page.TraceData.traceId;

import io.flamespan.page.comparison.Chance;
import io.flamespan.page.results.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Requests before and after a deployment, with the figures that a comparison should show, computed
 * from these requests alone.
 */
final class Deployment {
  /** Counts samples by the frame below main. */
  record Served(String endpoint, int second, long millis, Map<String, Integer> samples) {
    Served times(int factor) {
      return new Served(
          endpoint,
          second,
          millis,
          samples.entrySet().stream()
              .collect(Collectors.toMap(Map.Entry::getKey, sample -> factor * sample.getValue())));
    }

    long cpuNanos() {
      return samples.values().stream().mapToLong(count -> count * ProfileData.PERIOD_NANOS).sum();
    }
  }

  static final List<Served> BEFORE =
      List.of(
          new Served("GET /checkout", 0, 100, Map.of("tax", 2, "render", 1)),
          new Served("GET /checkout", 1, 100, Map.of("tax", 2, "render", 1)),
          new Served("GET /checkout", 2, 90, Map.of("tax", 3)),
          new Served("GET /checkout", 3, 110, Map.of("tax", 1, "render", 2)),
          new Served("GET /search", 0, 50, Map.of("index", 1)),
          new Served("GET /search", 3, 50, Map.of("index", 1)),
          new Served("GET /old", 2, 20, Map.of("legacy", 1)));

  static final List<Served> AFTER =
      List.of(
          new Served("GET /checkout", 5, 180, Map.of("tax", 5, "render", 1, "audit", 1)),
          new Served("GET /checkout", 8, 200, Map.of("tax", 4, "render", 1, "audit", 2)),
          new Served("GET /search", 5, 50, Map.of("index", 1)),
          new Served("GET /search", 6, 50, Map.of("index", 1)),
          new Served("GET /search", 7, 50, Map.of("index", 1)),
          new Served("GET /search", 8, 50, Map.of("index", 1)),
          new Served("GET /new", 6, 40, Map.of("fresh", 3)));

  static final List<Served> BOTH = Stream.concat(BEFORE.stream(), AFTER.stream()).toList();

  private Deployment() {}

  /** The samples of a request are inside of it, on as many threads as they need. */
  static byte[] file(List<Served> requests) {
    TraceData traces = new TraceData("shop");
    ProfileData profile = new ProfileData().service("shop");
    long number = 0;
    for (Served request : requests) {
      number++;
      long start = START + request.second() * 1_000 * MS;
      traces.root(number, request.endpoint(), start, start + request.millis() * MS);
      for (Map.Entry<String, Integer> sample : request.samples().entrySet()) {
        List<String> stack = List.of("main", sample.getKey());
        long nanos = request.millis() * MS;
        profile.sample(traceId(number), spanId(number), start, nanos, sample.getValue(), stack);
      }
    }
    return CollectorFiles.json(traces.build(), profile.build());
  }

  static List<Served> of(String endpoint, List<Served> requests) {
    return requests.stream().filter(one -> one.endpoint().equals(endpoint)).toList();
  }

  static double cpuPerRequest(String endpoint, List<Served> requests) {
    return of(endpoint, requests).stream().mapToLong(Served::cpuNanos).average().orElse(0);
  }

  static double frame(String endpoint, String frame, List<Served> requests) {
    return of(endpoint, requests).stream()
        .mapToLong(one -> one.samples().getOrDefault(frame, 0) * ProfileData.PERIOD_NANOS)
        .average()
        .orElse(0);
  }

  /** The cells of the endpoint's row, beginning with the third. */
  static List<String> cells(String endpoint, List<Served> a, List<Served> b) {
    return cells(endpoint, a, b, Stream.concat(a.stream(), b.stream()).toList());
  }

  /** The page knows the spread of all requests, also of those that are not compared. */
  static List<String> cells(String endpoint, List<Served> a, List<Served> b, List<Served> all) {
    List<Served> ofA = of(endpoint, a);
    List<Served> ofB = of(endpoint, b);
    double before = cpuPerRequest(endpoint, a);
    double after = cpuPerRequest(endpoint, b);
    boolean both = !ofA.isEmpty() && !ofB.isEmpty();
    List<String> cells = new ArrayList<>();
    cells.add(both ? "" : ofA.isEmpty() ? "only in B" : "only in A");
    cells.add(ofA.isEmpty() ? "–" : time(before));
    cells.add(ofB.isEmpty() ? "–" : time(after));
    cells.add(signed(after - before, time(Math.abs(after - before))));
    Chance.Verdict verdict = verdict(ofA, ofB, cpu(a) + cpu(b), of(endpoint, all));
    cells.add(both ? time(verdict.plusMinus()) : "–");
    double percent = 100 * (after - before) / before;
    cells.add(both ? signed(percent, String.format(Locale.ROOT, "%.1f", Math.abs(percent))) : "–");
    long samples = samples(ofA) + samples(ofB);
    double needed = samples * Math.pow(verdict.plusMinus() / (after - before), 2);
    cells.add(
        !verdict.chance() || after == before
            ? String.format(Locale.US, "%,d", samples)
            : samples + " of " + String.format(Locale.US, "%,d", Math.round(needed)));
    cells.add(ofA.isEmpty() ? "–" : share(ofA, a));
    cells.add(ofB.isEmpty() ? "–" : share(ofB, b));
    cells.add(String.valueOf(ofA.size()));
    cells.add(String.valueOf(ofB.size()));
    double slower = mean(ofB) - mean(ofA);
    cells.add(ofA.isEmpty() ? "–" : time(mean(ofA)));
    cells.add(ofB.isEmpty() ? "–" : time(mean(ofB)));
    cells.add(both ? signed(slower, time(Math.abs(slower))) : "–");
    return cells;
  }

  private static long samples(List<Served> requests) {
    return requests.stream()
        .flatMap(one -> one.samples().values().stream())
        .mapToLong(Integer::longValue)
        .sum();
  }

  private static Chance.Verdict verdict(
      List<Served> ofA, List<Served> ofB, double all, List<Served> spreading) {
    Spread spread = new Spread();
    spreading.forEach(one -> spread.add(one.cpuNanos()));
    return Chance.judge(
        new Chance.Side(ofA.size(), cpu(ofA)),
        new Chance.Side(ofB.size(), cpu(ofB)),
        new Chance.Spreading(
            spread.cluster(spreading.size()),
            spread.skew(spreading.size()),
            ProfileData.PERIOD_NANOS),
        Chance.LEVEL * (cpu(ofA) + cpu(ofB)) / all);
  }

  private static double cpu(List<Served> requests) {
    return requests.stream().mapToDouble(Served::cpuNanos).sum();
  }

  private static double mean(List<Served> requests) {
    return requests.stream().mapToLong(one -> one.millis() * MS).average().orElse(0);
  }

  private static String share(List<Served> part, List<Served> whole) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * cpu(part) / cpu(whole));
  }

  static String signed(double number, String text) {
    return number == 0 ? text : (number > 0 ? "+" : "−") + text;
  }

  /** Formats times like the page: here 0, or from 1 ms to 1 s. */
  static String time(double nanos) {
    double millis = nanos / MS;
    if (millis == 0) {
      return "0 ns";
    }
    if (millis >= 100) {
      return Math.round(millis) + " ms";
    }
    return String.format(Locale.ROOT, millis >= 10 ? "%.1f ms" : "%.2f ms", millis);
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.gate;

import io.flamespan.page.comparison.StudentT;
import io.flamespan.page.results.Measure;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * Tells whether requests became dearer by more than chance and by more than a limit.
 * docs/internals/statistics.md has the method.
 */
public final class Gate {
  /** How often two runs of the same code may have a dearer row, whatever their number. */
  public static final double LEVEL = 0.01;

  /** Of a side: it may need more. */
  public static final int MOST_RUNS = 1_000;

  private static final double LEAST_WEIGHT = 1e-6;

  /** Fewer requests do not tell how much others differ. */
  static final int LEAST_REQUESTS = 20;

  /** By how much runs of the same code differ at least, as a share, if one is given on a side. */
  public static final double BETWEEN_RUNS = BetweenRuns.LEAST;

  /** The same of a single endpoint. */
  public static final double BETWEEN_RUNS_ALONE = BetweenRuns.ALONE;

  /** Fewer of a side hardly tell how much runs of the same code differ. */
  public static final int GOOD_RUNS = 5;

  /** How often a gate may ask for runs, not for requests, because requests seem alike. */
  private static final double ALIKE = 0.05;

  /** A few more would hardly decide what so many do not. */
  private static final double LEAST_TIMES = 1.5;

  /** The share of a kind whose endpoints need enough requests. */
  private static final double MOST = 0.95;

  /** A row before all are judged together. */
  private record Candidate(
      Cost cost,
      Sides.Key key,
      double limit,
      Side a,
      Side b,
      BetweenRuns between,
      Effect effect,
      double weight,
      boolean counts) {}

  /** An endpoint on both sides. */
  private record Compared(Sides.Key key, Side a, Side b, BetweenRuns.Seen seen) {}

  /** What is asked for. */
  private record More(long requestsOfA, long requestsOfB, int runsOfA, int runsOfB) {
    static final More NONE = new More(0, 0, 0, 0);
  }

  private Gate() {}

  public static Verdict judge(Rules rules, Sides all) {
    long warmUp = rules.warmUp().nanos(all.runs());
    Sides warm = all.within(warmUp, Long.MAX_VALUE);
    double end = rules.warmUp().isNone() ? Double.POSITIVE_INFINITY : all.seconds();
    Sides sides = all.within(warmUp, Math.round(1e9 * end));
    List<String> problems = Comparability.problems(rules, all, sides);
    List<Candidate> candidates = new ArrayList<>();
    for (Cost cost : rules.costs()) {
      candidates.addAll(candidates(rules, sides, cost));
    }
    double[] levels =
        Holm.levels(
            candidates.stream().mapToDouble(one -> one.effect.chance()).toArray(),
            candidates.stream().mapToDouble(one -> one.weight).toArray(),
            LEVEL);
    if (candidates.isEmpty() && problems.isEmpty()) {
      problems.add("no endpoint is on both sides");
    }
    List<Row> rows = new ArrayList<>();
    List<Verdict.MethodRow> methods = new ArrayList<>();
    double deviations = // on both sides of all rows
        StudentT.quantile(ALIKE / 2 / Math.max(1, levels.length), Effect.MANY);
    for (int i = 0; i < levels.length; i++) {
      Candidate candidate = candidates.get(i);
      Row row = row(candidate, levels[i], sides, deviations);
      rows.add(row);
      if (row.state() == Row.State.DEARER) {
        methods.addAll(DearerMethods.of(row, sides, levels[i], candidate.between));
      }
    }
    rows.sort(
        Comparator.comparing(Row::state)
            .thenComparing(row -> !row.counts())
            .thenComparing(Row::isNoise)
            .thenComparingDouble(row -> -row.change() / row.limit()));
    return new Verdict(
        problems,
        List.copyOf(rows),
        List.copyOf(methods),
        sides.runIsUnit(),
        runsAreTaken(rules, sides),
        sides.takeTurns(),
        sides.a().size(),
        sides.b().size(),
        warmUp / 1e9,
        all.requests() - warm.requests(),
        end,
        warm.requests() - sides.requests(),
        all.requests());
  }

  /** Of the endpoints on both sides. */
  private static List<Candidate> candidates(Rules rules, Sides sides, Cost cost) {
    Map<Sides.Key, List<EndpointCosts>> a = Sides.endpoints(sides.a(), cost);
    Map<Sides.Key, List<EndpointCosts>> b = Sides.endpoints(sides.b(), cost);
    Map<Sides.Key, Double> amounts = new HashMap<>();
    double whole = 0;
    for (Map<Sides.Key, List<EndpointCosts>> side : List.of(a, b)) {
      for (Map.Entry<Sides.Key, List<EndpointCosts>> one : side.entrySet()) {
        double amount = one.getValue().stream().mapToDouble(run -> run.amount(cost)).sum();
        amounts.merge(one.getKey(), amount, Double::sum);
        whole += amount;
      }
    }
    Set<Sides.Key> needed = largest(amounts, MOST * whole);
    List<Compared> onBoth = new ArrayList<>();
    for (Map.Entry<Sides.Key, List<EndpointCosts>> one : a.entrySet()) {
      Sides.Key key = one.getKey();
      List<EndpointCosts> ofB = b.get(key);
      if (ofB != null) {
        Side sideA = Side.of(one.getValue(), cost, sides.a().size() > 1);
        Side sideB = Side.of(ofB, cost, sides.b().size() > 1);
        double share = whole == 0 ? 0 : amounts.getOrDefault(key, 0.0) / whole;
        onBoth.add(new Compared(key, sideA, sideB, BetweenRuns.Seen.of(sideA, sideB, share)));
      }
    }
    List<BetweenRuns.Seen> seen = onBoth.stream().map(Compared::seen).toList();
    List<Candidate> found = new ArrayList<>();
    for (Compared one : onBoth) {
      OptionalDouble limit = rules.limitOf(one.key.name());
      if (limit.isPresent()) {
        BetweenRuns between = between(one, seen, rules, sides);
        found.add(
            new Candidate(
                cost,
                one.key,
                limit.getAsDouble(),
                one.a,
                one.b,
                between,
                Effect.of(one.a, one.b, sample(cost, sides), limit.getAsDouble(), between),
                Math.max(LEAST_WEIGHT, one.seen.weight()),
                needed.contains(one.key) || rules.limits().containsKey(one.key.name())));
      }
    }
    return found;
  }

  private static BetweenRuns between(
      Compared one, List<BetweenRuns.Seen> all, Rules rules, Sides sides) {
    boolean few = sides.runIsUnit() && Math.min(one.a.runs(), one.b.runs()) < GOOD_RUNS;
    return few || runsAreTaken(rules, sides)
        ? BetweenRuns.beside(one.seen, all, one.a.runs(), one.b.runs())
        : BetweenRuns.NONE;
  }

  private static boolean runsAreTaken(Rules rules, Sides sides) {
    return !sides.runIsUnit() && !rules.allowed().contains(Rules.Difference.RUNS);
  }

  /** The largest ones, which have this amount together. */
  private static Set<Sides.Key> largest(Map<Sides.Key, Double> amounts, double together) {
    List<Map.Entry<Sides.Key, Double>> sorted = new ArrayList<>(amounts.entrySet());
    sorted.sort(Map.Entry.<Sides.Key, Double>comparingByValue().reversed());
    Set<Sides.Key> found = new HashSet<>();
    double sum = 0;
    for (Map.Entry<Sides.Key, Double> one : sorted) {
      if (sum > together) {
        break;
      }
      found.add(one.getKey());
      sum += one.getValue();
    }
    return found;
  }

  /** The mean amount of a sample if samples are independent. */
  static double sample(Cost cost, Sides sides) {
    Measure measure = cost.measure();
    return measure == null || !measure.isIndependent()
        ? 0
        : sides.runs().stream().mapToDouble(run -> run.sample(measure)).average().orElse(0);
  }

  private static Row row(Candidate one, double level, Sides sides, double deviations) {
    Effect effect = one.effect;
    double plusMinus = effect.plusMinus(level);
    boolean more = effect.chance() <= level;
    boolean upToLimit = !(effect.change() + plusMinus < one.limit);
    boolean within =
        Math.min(one.a.requests(), one.b.requests()) >= LEAST_REQUESTS
            && effect.cheap() <= Effect.MISSED;
    Row.State state =
        more && upToLimit ? Row.State.DEARER : within ? Row.State.WITHIN : Row.State.NOT_ENOUGH;
    More lacks = state == Row.State.NOT_ENOUGH ? more(one, level, sides, deviations) : More.NONE;
    return new Row(
        one.cost,
        one.key.name(),
        one.key.service(),
        one.limit,
        one.a.requests(),
        one.b.requests(),
        one.a.mean(),
        one.b.mean(),
        effect.change(),
        plusMinus,
        state,
        one.counts,
        lacks.requestsOfA,
        lacks.requestsOfB,
        lacks.runsOfA,
        lacks.runsOfB);
  }

  /**
   * What a row lacks.
   *
   * @param deviations of chance, which neighbours that are alike for certain exceed
   */
  private static More more(Candidate one, double level, Sides sides, double deviations) {
    double times = Math.max(LEAST_TIMES, one.effect.timesRequests(one.limit, level));
    // As many blocks of more requests would be as much alike.
    boolean alike =
        !sides.runIsUnit()
            && (one.a.areNeighboursAlike(deviations) || one.b.areNeighboursAlike(deviations));
    if (!sides.runIsUnit() && !alike && one.between.error() == 0) {
      return new More(more(one.a, times), more(one.b, times), 0, 0);
    }
    int nowOfA = sides.runIsUnit() ? one.a.units() : sides.a().size();
    int nowOfB = sides.runIsUnit() ? one.b.units() : sides.b().size();
    int runs = GOOD_RUNS; // more requests would not do
    if (sides.runIsUnit() && Double.isNaN(times)) {
      runs = Math.max(GOOD_RUNS, 2 * Math.min(nowOfA, nowOfB));
    } else if (sides.runIsUnit()) {
      double now = 2.0 / (1.0 / nowOfA + 1.0 / nowOfB);
      runs =
          (int)
              Math.ceil(
                  Math.max(LEAST_TIMES * now, one.effect.runs(one.limit, level, now, MOST_RUNS)));
    }
    int moreOfA = Math.max(0, runs - nowOfA);
    int moreOfB = Math.max(0, runs - nowOfB);
    return new More(
        moreOfA == 0 ? 0 : more(one.a, alike ? Double.NaN : 1 + (double) moreOfA / nowOfA),
        moreOfB == 0 ? 0 : more(one.b, alike ? Double.NaN : 1 + (double) moreOfB / nowOfB),
        runs(moreOfA, nowOfA, sides.a()),
        runs(moreOfB, nowOfB, sides.b()));
  }

  /** How many runs have an endpoint so many more times, if as many of them have it as now. */
  private static int runs(int more, int now, List<Run> all) {
    return (int) Math.ceil((double) more * all.size() / now);
  }

  private static long more(Side side, double times) {
    double all = Math.max(LEAST_REQUESTS, side.requests() * times);
    return Double.isNaN(times) ? -1 : Math.max(1, (long) Math.ceil(all - side.requests()));
  }
}

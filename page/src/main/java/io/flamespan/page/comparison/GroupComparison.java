/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.comparison;

import io.flamespan.page.results.Column;
import io.flamespan.page.results.EndpointResult;
import io.flamespan.page.results.Frame;
import io.flamespan.page.results.Measure;
import io.flamespan.page.results.RequestStacks;
import io.flamespan.page.results.Spread;
import io.flamespan.page.results.Tally;
import it.unimi.dsi.fastutil.ints.Int2ObjectMap;
import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Groups of requests of an endpoint, method by method. Receives what methods have, and then judges
 * pairs of groups. docs/internals/statistics.md has the method.
 */
public final class GroupComparison implements RequestStacks.Visitor {
  /** In place of a method, what no own method has. */
  public static final Frame NO_OWN = new Frame("(no own method)", "", "");

  private static final double LEAST_SHARE = 0.001; // of a method whose difference is judged
  private static final double LEAST_PART = 1e-9; // of the level, for a row that does not vary
  private static final int ALL = -1; // in place of a frame: a kind of samples as a whole
  private static final int REST = -2; // what no own method has

  /** What the requests of a group have of a method. */
  private static final class Part {
    final Spread amounts = new Spread();
    final Spread logarithms = new Spread(); // of the amounts, which are less skewed
    final Spread ofKind = new Spread(); // the shares of all samples of the kind
    final Spread ofDuration = new Spread(); // the shares of the duration

    void add(Part other) {
      amounts.add(other.amounts);
      logarithms.add(other.logarithms);
      ofKind.add(other.ofKind);
      ofDuration.add(other.ofDuration);
    }
  }

  /** What the requests of a group have of a kind. */
  private static final class Kind {
    long requests; // that have samples of the kind
    double inverseCounts; // the sum of 1 / the number of samples

    void add(Kind other) {
      requests += other.requests;
      inverseCounts += other.inverseCounts;
    }
  }

  /**
   * What requests of two groups have of a method on average.
   *
   * @param ofKind whether it is all of a kind, of which the method has the largest difference
   */
  public record Row(
      Frame frame, boolean ofKind, Measure measure, double a, double b, Chance.Verdict verdict) {
    public boolean isCertain() {
      return !verdict.chance();
    }

    /** The difference, in the direction of another one. */
    double along(Row other) {
      return Math.signum(other.verdict.difference()) * verdict.difference();
    }

    Row with(Frame other) {
      return new Row(other, ofKind, measure, a, b, verdict);
    }
  }

  private final RequestStacks stacks;
  private final Groups groups;
  private final List<EndpointResult.Dot> all;
  private final int[] groupOf; // by place, -1 if it is in none
  private final long[] requests; // by group
  private final long[] withDuration; // the requests of a group that take time, to have shares of
  private final Tally sum = new Tally(); // of all requests
  private final Kind[][] kinds; // by group and measure
  private final Int2ObjectOpenHashMap<Part[]> methods = new Int2ObjectOpenHashMap<>();
  private final long[][] own = new long[Measure.COUNT][0]; // by measure and place
  private boolean isComplete;

  public GroupComparison(RequestStacks stacks, Groups groups) {
    this.stacks = stacks;
    this.groups = groups;
    this.all = stacks.all();
    int count = groups.of().size();
    groupOf = new int[all.size()];
    Arrays.fill(groupOf, -1);
    requests = new long[count];
    withDuration = new long[count];
    kinds = new Kind[count][Measure.COUNT];
    all.forEach(one -> sum.add(one.tally()));
    for (int group = 0; group < count; group++) {
      Arrays.setAll(kinds[group], added -> new Kind());
      for (int place : groups.of().get(group).places()) {
        groupOf[place] = group;
        Tally tally = all.get(place).tally();
        requests[group]++;
        withDuration[group] += all.get(place).durationNanos() > 0 ? 1 : 0;
        for (Measure measure : Measure.values()) {
          if (tally.amount(measure) > 0) {
            kinds[group][measure.ordinal()].requests++;
            kinds[group][measure.ordinal()].inverseCounts +=
                1.0 / Math.max(1, tally.count(measure));
            add(place, ALL, Column.OWN, measure, tally.amount(measure));
          }
        }
      }
    }
  }

  /** The mean amount of a sample. */
  private double sample(Measure measure) {
    return Math.max(1, sum.amount(measure)) / (double) Math.max(1, sum.count(measure));
  }

  @Override
  public void method(int place, int frame, Column column, Measure measure, long amount) {
    if (groupOf[place] >= 0) {
      add(place, frame, column, measure, amount);
      if (column == Column.OWN) {
        ofOwn(measure)[place] += amount;
      }
    }
  }

  /** Measures of which there is nothing have no room. */
  private long[] ofOwn(Measure measure) {
    if (own[measure.ordinal()].length < all.size()) {
      own[measure.ordinal()] = new long[all.size()];
    }
    return own[measure.ordinal()];
  }

  private static int key(int frame, Column column, Measure measure) {
    return ((frame - REST) * Measure.COUNT + measure.ordinal()) * Column.COUNT + column.ordinal();
  }

  private void add(int place, int frame, Column column, Measure measure, long amount) {
    int group = groupOf[place];
    Part[] parts =
        methods.computeIfAbsent(key(frame, column, measure), added -> new Part[requests.length]);
    if (parts[group] == null) {
      parts[group] = new Part();
    }
    EndpointResult.Dot request = all.get(place);
    double ofKind = request.tally().amount(measure);
    parts[group].amounts.add(amount);
    parts[group].logarithms.add(Math.log1p(amount / sample(measure)));
    parts[group].ofKind.add(amount / Math.max(amount, ofKind));
    if (request.durationNanos() > 0) {
      parts[group].ofDuration.add(amount / (double) request.durationNanos());
    }
  }

  /** Adds what no own method has, after all methods. */
  private void complete() {
    if (isComplete) {
      return;
    }
    isComplete = true;
    for (int place = 0; place < groupOf.length; place++) {
      for (Measure measure : Measure.values()) {
        long amount = all.get(place).tally().amount(measure);
        long rest = amount > 0 ? amount - ofOwn(measure)[place] : 0;
        if (groupOf[place] >= 0 && rest > 0) {
          add(place, REST, Column.OWN, measure, rest);
        }
      }
    }
  }

  /** The groups of a side as one. */
  private final class Side {
    final long requests;
    final long withDuration;
    final Kind[] kinds = new Kind[Measure.COUNT];
    private final List<Integer> of;

    Side(List<Integer> of) {
      this.of = of;
      Arrays.setAll(kinds, added -> new Kind());
      long sum = 0;
      long sumWithDuration = 0;
      for (int group : of) {
        sum += GroupComparison.this.requests[group];
        sumWithDuration += GroupComparison.this.withDuration[group];
        for (int measure = 0; measure < kinds.length; measure++) {
          kinds[measure].add(GroupComparison.this.kinds[group][measure]);
        }
      }
      requests = sum;
      withDuration = sumWithDuration;
    }

    Part part(Part[] parts) {
      Part sum = new Part();
      for (int group : of) {
        if (parts[group] != null) {
          sum.add(parts[group]);
        }
      }
      return sum;
    }
  }

  /** A method in both sides. */
  private record Both(int frame, Part a, Part b) {}

  /** Judges methods, or kinds as a whole, by one measure. */
  private final class Judge {
    private final Side a;
    private final Side b;
    private final Measure measure;
    private final boolean isKind;
    private final boolean byDuration; // else by the share of the kind
    private final long sharingOfA;
    private final long sharingOfB;

    Judge(Side a, Side b, Measure measure, boolean isKind) {
      this.a = a;
      this.b = b;
      this.measure = measure;
      this.isKind = isKind;
      Kind kindOfA = a.kinds[measure.ordinal()];
      // A wait that most typical requests do not have at all has no share of its kind in them.
      boolean isWait = measure == Measure.WAIT || measure == Measure.LOCK;
      byDuration = isKind || (isWait && kindOfA.requests * 2 < a.requests);
      sharingOfA = byDuration ? a.withDuration : kindOfA.requests;
      sharingOfB = byDuration ? b.withDuration : b.kinds[measure.ordinal()].requests;
    }

    private Spread shares(Part part) {
      return byDuration ? part.ofDuration : part.ofKind;
    }

    private Spread shares(Both both) {
      Spread shares = new Spread();
      shares.add(shares(both.a));
      shares.add(shares(both.b));
      return shares;
    }

    double meanShare(Both both) {
      return shares(both).mean(sharingOfA + sharingOfB);
    }

    /** What the row may weigh among those judged together, whatever request is in which group. */
    double weight(Both both) {
      return Math.sqrt(shares(both).variance(sharingOfA + sharingOfB));
    }

    Row row(Both both, double level) {
      return new Row(
          both.frame < 0 ? NO_OWN : stacks.frame(both.frame),
          isKind,
          measure,
          both.a.amounts.mean(a.requests),
          both.b.amounts.mean(b.requests),
          verdict(both, level));
    }

    private Chance.Verdict verdict(Both both, double level) {
      double difference = both.b.amounts.mean(b.requests) - both.a.amounts.mean(a.requests);
      if (Math.min(a.requests, b.requests) < 2) {
        return new Chance.Verdict(difference, Double.NaN, true);
      }
      Chance.Verdict amounts =
          judge(
              a.requests,
              both.a.amounts,
              b.requests,
              both.b.amounts,
              measure.isIndependent() ? sample(measure) : 0,
              level);
      Chance.Verdict more =
          judge(a.requests, both.a.logarithms, b.requests, both.b.logarithms, 0, level);
      boolean certain =
          !more.chance()
              && more.difference() * difference > 0
              && (!groups.byAmount() || hasLargerShare(both, level));
      double plusMinus = Math.max(amounts.plusMinus(), error(both));
      double size = Math.abs(difference);
      return new Chance.Verdict(
          difference, certain ? Math.min(plusMinus, size) : Math.max(plusMinus, size), !certain);
    }

    /** Never of allocation, which comes in pieces so large that shares grow with the request. */
    private boolean hasLargerShare(Both both, double level) {
      double difference = both.b.amounts.mean(b.requests) - both.a.amounts.mean(a.requests);
      if (measure == Measure.ALLOC || !(difference > 0) || Math.min(sharingOfA, sharingOfB) < 2) {
        return false;
      }
      double inverse =
          (a.kinds[measure.ordinal()].inverseCounts + b.kinds[measure.ordinal()].inverseCounts)
              / (sharingOfA + sharingOfB);
      double share = meanShare(both);
      Chance.Verdict shares =
          judge(
              sharingOfA,
              shares(both.a),
              sharingOfB,
              shares(both.b),
              measure.isIndependent() ? (byDuration ? share : 1 - share) * inverse : 0,
              level);
      return !shares.chance() && shares.difference() > 0 && (isKind || mostOften(both) <= level);
    }

    /**
     * How often at most chance gives one side such a mean share of a method, if the other tells the
     * usual one: the larger of both, as each may be of few samples.
     */
    private double mostOften(Both both) {
      double ofA = shares(both.a).mean(sharingOfA);
      double ofB = Math.min(shares(both.b).mean(sharingOfB), 1); // more if threads wait at once
      return Math.max(
          mostOften(ofA, sharingOfA, ofB, sharingOfB),
          mostOften(1 - ofB, sharingOfB, 1 - ofA, sharingOfA));
    }

    /** However shares are distributed (Hoeffding): those of slow requests may be nearly 0 or 1. */
    private static double mostOften(double usual, long requests, double larger, long ofLarger) {
      double of = Math.max(usual, 1.0 / (requests + 2));
      if (larger <= of) {
        return 1;
      }
      double rest = larger < 1 ? (1 - larger) * Math.log((1 - larger) / (1 - of)) : 0;
      return Math.exp(-ofLarger * (larger * Math.log(larger / of) + rest));
    }

    /** By how much the difference may be wrong: as many standard errors as Chebyshev needs. */
    private double error(Both both) {
      double ofA = both.a.amounts.variance(a.requests) / (a.requests - 1);
      double ofB = both.b.amounts.variance(b.requests) / (b.requests - 1);
      return Math.sqrt((ofA + ofB) / Chance.LEVEL);
    }
  }

  private static Chance.Verdict judge(
      long requestsOfA, Spread a, long requestsOfB, Spread b, double sample, double level) {
    Spread both = new Spread();
    both.add(a);
    both.add(b);
    long requests = requestsOfA + requestsOfB;
    return Chance.judge(
        new Chance.Side(requestsOfA, a.sum()),
        new Chance.Side(requestsOfB, b.sum()),
        new Chance.Spreading(both.cluster(requests), both.skew(requests), sample),
        level);
  }

  /**
   * Compares the methods of two groups: those that differ by more than chance first, then those
   * that differ the most. Very small ones are left out.
   *
   * @param level of all these rows together
   */
  public List<Row> rows(Groups.Pair pair, Measure measure, Column column, double level) {
    complete();
    Side a = new Side(pair.ofA());
    Side b = new Side(pair.ofB());
    Judge judge = new Judge(a, b, measure, false);
    List<Both> large = large(judge, column);
    double weights = 0;
    for (Both both : large) {
      weights += judge.weight(both);
    }
    List<Row> rows = new ArrayList<>();
    for (Both both : large) {
      double part = judge.weight(both) / Math.max(weights, Double.MIN_NORMAL);
      rows.add(judge.row(both, level * Math.max(part, LEAST_PART)));
    }
    rows.sort(ORDER);
    return rows;
  }

  /** The methods that are not very small. */
  private List<Both> large(Judge judge, Column column) {
    List<Both> large = new ArrayList<>();
    for (Int2ObjectMap.Entry<Part[]> one : methods.int2ObjectEntrySet()) {
      int frame = one.getIntKey() / Column.COUNT / Measure.COUNT + REST;
      if (frame != ALL && one.getIntKey() == key(frame, column, judge.measure)) {
        Both both = new Both(frame, judge.a.part(one.getValue()), judge.b.part(one.getValue()));
        if (judge.meanShare(both) > LEAST_SHARE) {
          large.add(both);
        }
      }
    }
    return large;
  }

  static final Comparator<Row> ORDER =
      Comparator.comparing((Row row) -> !row.isCertain())
          .thenComparingDouble(row -> -Math.abs(row.verdict().difference()))
          .thenComparing(row -> row.frame().name())
          .thenComparing(Row::measure);

  /** Compares a kind as a whole with the duration. */
  Row kind(Groups.Pair pair, Measure measure, double level) {
    Side a = new Side(pair.ofA());
    Side b = new Side(pair.ofB());
    Part[] parts = methods.getOrDefault(key(ALL, Column.OWN, measure), new Part[requests.length]);
    Both both = new Both(ALL, a.part(parts), b.part(parts));
    return new Judge(a, b, measure, true).row(both, level);
  }
}

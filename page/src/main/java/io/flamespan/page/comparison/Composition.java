/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.comparison;

import io.flamespan.page.results.Spread;

/**
 * Whether two groups of requests differ in a method although the groups were chosen by something
 * that all methods have a part in, such as the duration. docs/internals/statistics.md has the idea.
 */
final class Composition {
  private static final int ENOUGH_REQUESTS = 100;
  private static final double ROUNDING = 1e-9;

  /** Sums over the requests of a group of what samples explain, in all. */
  static final class Whole {
    long requests;
    double sum;
    double squares;
    double cubes;

    void add(double whole) {
      requests++;
      sum += whole;
      squares += whole * whole;
      cubes += whole * whole * whole;
    }

    double perRequest() {
      return requests > 0 ? sum / requests : 0;
    }
  }

  /** The same of a method, with the products of both. */
  static final class Part {
    double sum;
    double squares;
    double cubes;
    double timesWhole;
    double squaresTimesWhole;
    double timesSquaresOfWhole;

    /** Adds a request that has the method. */
    void add(double part, double whole) {
      sum += part;
      squares += part * part;
      cubes += part * part * part;
      timesWhole += part * whole;
      squaresTimesWhole += part * part * whole;
      timesSquaresOfWhole += part * whole * whole;
    }

    void add(Part other) {
      sum += other.sum;
      squares += other.squares;
      cubes += other.cubes;
      timesWhole += other.timesWhole;
      squaresTimesWhole += other.squaresTimesWhole;
      timesSquaresOfWhole += other.timesSquaresOfWhole;
    }
  }

  /** A group of requests, and one method of it. */
  record Group(Whole whole, Part part) {
    double share() {
      return whole.sum > 0 ? part.sum / whole.sum : 0;
    }

    double perRequest() {
      return whole.requests > 0 ? part.sum / whole.requests : 0;
    }

    Chance.Side byRequests() {
      return new Chance.Side(whole.requests, part.sum);
    }

    Chance.Side byWhole() {
      return new Chance.Side(Math.round(whole.sum), part.sum);
    }

    /** The sum of the squares of what requests have beyond this share of the whole. */
    double squares(double share) {
      return part.squares - 2 * share * part.timesWhole + share * share * whole.squares;
    }

    double cubes(double share) {
      return part.cubes
          - 3 * share * part.squaresTimesWhole
          + 3 * share * share * part.timesSquaresOfWhole
          - share * share * share * whole.cubes;
    }

    /** The variance of the share, as far as the requests of this group tell. */
    double varianceOfShare() {
      double requests = whole.requests;
      return Math.max(0, squares(share())) * requests / (requests - 1) / (whole.sum * whole.sum);
    }
  }

  private Composition() {}

  /**
   * Judges B against A: whether it has more per request, and a larger part of the whole, than
   * chance gives it. Less than that is never certain.
   *
   * @param sample the mean amount of a sample, 0 of samples that are not independent
   * @param level see {@link Chance#judge}
   */
  static Chance.Verdict judge(Group a, Group b, double sample, double level) {
    Chance.Verdict same = judgeByRequests(a, b, sample, level);
    double difference = same.difference();
    if (Math.min(a.whole.requests, b.whole.requests) < 2) {
      return new Chance.Verdict(difference, Double.NaN, true);
    }
    if (same.chance()) {
      return chance(difference, same.plusMinus());
    }
    double sum = a.part.sum + b.part.sum;
    double share = sum / Math.max(1, a.whole.sum + b.whole.sum);
    double squares = a.squares(share) + b.squares(share);
    if (!(squares > ROUNDING * (a.part.squares + b.part.squares))) {
      return chance(difference, same.plusMinus());
    }
    boolean few = a.whole.requests + b.whole.requests < ENOUGH_REQUESTS;
    double least = few ? sample * (1 - share) : 0;
    Chance.Verdict inProportion =
        Chance.judge(
            a.byWhole(),
            b.byWhole(),
            new Chance.Spreading(
                Math.max(squares / sum, least), (a.cubes(share) + b.cubes(share)) / squares, 0),
            level);
    double byShare = b.share() - a.share();
    double sigma = Math.sqrt(a.varianceOfShare() + b.varianceOfShare());
    long freedom = Math.min(a.whole.requests, b.whole.requests) - 1;
    boolean agree = student(byShare / sigma, freedom) <= level;
    double wholeOfB = b.whole.sum / b.whole.requests;
    double plusMinus =
        Math.max(
            same.plusMinus(),
            wholeOfB * Math.max(inProportion.plusMinus(), Chance.quantile(level) * sigma));
    return inProportion.chance() || !agree || difference < 0 || byShare < 0
        ? chance(difference, plusMinus)
        : new Chance.Verdict(difference, Math.min(plusMinus, difference), false);
  }

  private static Chance.Verdict chance(double difference, double plusMinus) {
    return new Chance.Verdict(difference, Math.max(plusMinus, Math.abs(difference)), true);
  }

  /** Judges groups that were not chosen by what is judged: whether B has as much per request. */
  static Chance.Verdict judgeByRequests(Group a, Group b, double sample, double level) {
    double requests = (double) a.whole.requests + b.whole.requests;
    double sum = a.part.sum + b.part.sum;
    double squares = a.part.squares + b.part.squares;
    double cubes = a.part.cubes + b.part.cubes;
    Spread spread = new Spread();
    spread.add(sum, squares, cubes);
    return Chance.judge(
        a.byRequests(),
        b.byRequests(),
        new Chance.Spreading(spread.cluster((long) requests), spread.skew((long) requests), sample),
        level);
  }

  /** How often Student's t is as large, in either direction. */
  private static double student(double t, long freedom) {
    return Chance.beta(freedom / (freedom + t * t), freedom / 2.0, 0.5);
  }
}

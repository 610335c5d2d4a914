/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.gate;

import io.flamespan.page.comparison.Chance;
import io.flamespan.page.comparison.StudentT;
import io.flamespan.page.results.Spread;

/**
 * By how much B is dearer than A, as a share of A.
 *
 * @param change 0.12 for 12 % more; infinite if A costs nothing, NaN if neither does
 * @param error the standard error of the logarithm of B / A; NaN if it is unknown
 * @param freedom its degrees of freedom
 * @param chance how often chance makes B at least as much dearer
 * @param cheap how often chance lets a B that is dearer by the limit seem at most this dear
 */
record Effect(double change, double error, double freedom, double chance, double cheap) {
  /** How often a change of the limit's size may be missed. */
  static final double MISSED = 0.01;

  private static final double MANY = 1e6; // degrees of freedom

  /**
   * Welch's test of the units, and a permutation test of the requests, of which the less certain
   * one counts.
   *
   * @param sample the mean amount of a sample; 0 if samples are not independent
   * @param limit as a share
   */
  static Effect of(Side a, Side b, double sample, double limit, BetweenRuns between) {
    double meanA = a.mean();
    double meanB = b.mean();
    long requests = a.requests() + b.requests();
    Spread both = new Spread();
    both.add(a.spread());
    both.add(b.spread());
    Chance.Spreading spreading =
        new Chance.Spreading(both.cluster(requests), both.skew(requests), sample);
    Chance.Side sideA = new Chance.Side(a.requests(), a.amount());
    Chance.Side sideB = new Chance.Side(b.requests(), b.amount());
    double random = Chance.probabilityOfMore(sideA, sideB, spreading);
    double chance = requests <= 2 || Double.isNaN(random) ? 1 : random;
    if (!(meanA > 0)) { // how units of B differ still tells whether it is more than nothing
      double some =
          meanB > 0 && b.units() > 1
              ? StudentT.tail(meanB / Math.sqrt(b.variance()), b.freedom())
              : 1;
      return new Effect(
          meanB / meanA - 1, Double.NaN, 1, Math.max(some, chance), meanB > 0 ? 1 : 0);
    }
    double change = meanB / meanA - 1;
    double ofA = a.variance() / meanA / meanA;
    double ofB = meanB > 0 ? b.variance() / meanB / meanB : 0;
    if (Double.isNaN(ofA) || Double.isNaN(ofB)) {
      return new Effect(change, Double.NaN, 1, 1, 1);
    }
    double least = leastError(a, b, sample);
    double ofUnits = Math.max(Math.max(ofA + ofB, pooled(ofA, a, ofB, b)), least * least);
    double freedom =
        (ofA + ofB) * (ofA + ofB) / (ofA * ofA / a.freedom() + ofB * ofB / b.freedom());
    if (Double.isNaN(freedom)) { // no unit differs from another
      freedom = a.units() + b.units() - 2.0;
    }
    freedom = Math.min(freedom, between.freedom());
    double error = Math.sqrt(ofUnits + between.error() * between.error());
    double welch = change > 0 ? StudentT.tail(Math.log1p(change) / error, freedom) : 1;
    double toLimit = Math.log1p(limit) - Math.log1p(change);
    double below = toLimit > 0 ? StudentT.tail(toLimit / error, freedom) : 1;
    return new Effect(
        change,
        error,
        freedom,
        Math.max(welch, chance),
        Math.max(below, cheap(a, b, sample, 1 / (1 + limit))));
  }

  /**
   * The variance of the difference if units of both sides vary alike, as those of the same code:
   * two units that happen to be alike do not tell that they do not differ.
   */
  private static double pooled(double ofA, Side a, double ofB, Side b) {
    double all = a.freedom() + b.freedom();
    double ofUnit = ofA * a.freedom() * (a.freedom() + 1) + ofB * b.freedom() * (b.freedom() + 1);
    return ofUnit / all * (1 / (a.freedom() + 1) + 1 / (b.freedom() + 1));
  }

  /**
   * The error of B / A as far as requests of a side differ. Both sides count, so B has A's mean: a
   * change is none of its own error.
   */
  private static double leastError(Side a, Side b, double sample) {
    double mean = a.amount() / a.requests();
    double amountOfB = b.amount() > 0 ? mean * b.requests() : 0;
    long requests = a.requests() + b.requests();
    Spread alike = new Spread();
    alike.add(a.spread());
    alike.add(b.spread(), amountOfB / Math.max(1, b.amount()));
    return Chance.sigma(
            new Chance.Side(a.requests(), a.amount()),
            new Chance.Side(b.requests(), amountOfB),
            new Chance.Spreading(alike.cluster(requests), alike.skew(requests), sample))
        / mean;
  }

  /** The permutation test of B without the limit's share. */
  private static double cheap(Side a, Side b, double sample, double times) {
    long requests = a.requests() + b.requests();
    Spread both = new Spread();
    both.add(a.spread());
    both.add(b.spread(), times);
    double more =
        Chance.probabilityOfMore(
            new Chance.Side(a.requests(), a.amount()),
            new Chance.Side(b.requests(), b.amount() * times),
            new Chance.Spreading(both.cluster(requests), both.skew(requests), sample));
    return Double.isNaN(more) ? 1 : 1 - more;
  }

  /** From the change down to a bound that is wrong so often. NaN if it is unknown. */
  double plusMinus(double level) {
    if (Double.isNaN(error)) {
      return Double.NaN;
    }
    double ofUnits = (1 + change) * -Math.expm1(-StudentT.quantile(level, freedom) * error);
    return chance > level ? Math.max(ofUnits, change) : ofUnits;
  }

  /** How many times as many requests show a change of the limit's size. NaN if unknown. */
  double timesRequests(double limit, double level) {
    double freedomThen = Math.max(freedom, 2.0 * Side.BLOCKS - 2);
    return Math.pow(needed(level, freedomThen) * error / Math.log1p(limit), 2);
  }

  private static double needed(double level, double freedom) {
    return StudentT.quantile(level, freedom) + StudentT.quantile(MISSED, freedom);
  }

  /** How many runs of each side do so, if now each has so many; at most the limit. */
  int runs(double limit, double level, double now, int most) {
    double least = now * Math.pow(needed(level, MANY) * error / Math.log1p(limit), 2);
    for (int runs = (int) Math.min(most, Math.max(2, least)); runs < most; runs++) {
      double freedomThen = 2.0 * runs - 2;
      if (needed(level, freedomThen) * error * Math.sqrt(now / runs) <= Math.log1p(limit)) {
        return runs;
      }
    }
    return most;
  }
}

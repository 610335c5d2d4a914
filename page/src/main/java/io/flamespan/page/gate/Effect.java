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
 * @param most what the error is at most in 9 of 10 cases
 * @param chance how often chance makes B at least as much dearer
 * @param cheap how often chance lets a B that is dearer by the limit seem at most this dear
 */
record Effect(
    double change, double error, double freedom, double most, double chance, double cheap) {
  /** How often a change of the limit's size may be missed. */
  static final double MISSED = 0.01;

  static final double MANY = 1e6; // degrees of freedom

  private static final double NINE_OF_TEN = 1.2816; // of a normal distribution

  /**
   * Welch's test of the units, and a permutation test of the requests, of which the less certain
   * one counts.
   *
   * @param sample the mean amount of a sample; 0 if samples are not independent
   * @param limit as a share
   */
  static Effect of(Side before, Side now, double sample, double limit, BetweenRuns between) {
    Side a = before.beside(now);
    Side b = now.beside(before);
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
    boolean tells = a.tells() && b.tells() && requests > 2 && !Double.isNaN(random);
    double chance = tells ? random : 1;
    if (!(meanA > 0)) { // how units of B differ still tells whether it is more than nothing
      double some =
          meanB > 0 && b.units() > 1
              ? StudentT.tail(meanB / Math.sqrt(b.variance()), b.freedom())
              : 1;
      return new Effect(
          meanB / meanA - 1, Double.NaN, 1, Double.NaN, Math.max(some, chance), meanB > 0 ? 1 : 0);
    }
    double change = meanB / meanA - 1;
    double ofA = a.variance() / meanA / meanA;
    double ofB = meanB > 0 ? b.variance() / meanB / meanB : 0;
    if (Double.isNaN(ofA) || Double.isNaN(ofB)) {
      return new Effect(change, Double.NaN, 1, Double.NaN, 1, 1);
    }
    double least = leastError(a, b, sample);
    double ofUnits = Math.max(Math.max(ofA + ofB, pooled(ofA, a, ofB, b)), least * least);
    double freedom =
        (ofA + ofB) * (ofA + ofB) / (ofA * ofA / a.freedom() + ofB * ofB / b.freedom());
    if (Double.isNaN(freedom)) { // no unit differs from another
      freedom = a.units() + b.units() - 2.0;
    }
    double ofRuns = between.error() * between.error();
    double error = Math.sqrt(ofUnits + ofRuns);
    if (ofRuns > 0) { // Satterthwaite, 1946
      freedom =
          Math.pow(error, 4) / (ofUnits * ofUnits / freedom + ofRuns * ofRuns / between.freedom());
      freedom = Math.min(freedom, between.freedom());
    }
    double most = error * Math.sqrt(most(known(a, b, both, freedom)));
    double welch = change > 0 ? StudentT.tail(Math.log1p(change) / error, freedom) : 1;
    double toLimit = Math.log1p(limit) - Math.log1p(change);
    double below = toLimit > 0 ? StudentT.tail(toLimit / error, freedom) : 1;
    return new Effect(
        change,
        error,
        freedom,
        most,
        Math.max(welch, chance),
        Math.max(below, cheap(a, b, sample, 1 / (1 + limit))));
  }

  /** The degrees of freedom of the variance: few slow requests tell it hardly. */
  private static double known(Side a, Side b, Spread both, double freedom) {
    long requests = a.requests() + b.requests();
    double clusters = requests * both.variance(requests) / Math.pow(both.skew(requests), 2);
    double units = Math.max(freedom, a.freedom() + b.freedom());
    return clusters > 1 ? Math.min(units, 2 * clusters) : units;
  }

  /** By how many times a variance is underestimated at most in 9 of 10 cases. */
  private static double most(double freedom) {
    double of = 2 / (9 * freedom); // Wilson and Hilferty, 1931
    return Math.pow(1 - of - NINE_OF_TEN * Math.sqrt(of), -3);
  }

  /**
   * The variance of the difference if units of both sides vary alike, as those of the same code:
   * two units that happen to be alike do not tell that they do not differ, nor do few blocks of one
   * run if the other side has several runs.
   */
  private static double pooled(double ofA, Side a, double ofB, Side b) {
    boolean runs = a.runs() > 1 && b.runs() > 1;
    double sizeA = runs ? a.freedom() + 1 : a.requests();
    double sizeB = runs ? b.freedom() + 1 : b.requests();
    double weightA = a.runs() > 1 || b.runs() == 1 ? a.freedom() : 0;
    double weightB = b.runs() > 1 || a.runs() == 1 ? b.freedom() : 0;
    double ofOne = (ofA * weightA * sizeA + ofB * weightB * sizeB) / (weightA + weightB);
    return ofOne * (1 / sizeA + 1 / sizeB);
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
    double blocks = Side.BLOCKS - 1.0; // by chance, some will seem alike
    double error = most * Math.sqrt(most(2 * blocks)); // nor will they tell it precisely
    return Math.pow(needed(level, Math.max(freedom, blocks)) * error / Math.log1p(limit), 2);
  }

  private static double needed(double level, double freedom) {
    return StudentT.quantile(level, freedom) + StudentT.quantile(MISSED, freedom);
  }

  /** How many runs of each side do so, if now each has so many; at most the limit. */
  int runs(double limit, double level, double now, int mostRuns) {
    double least = now * Math.pow(needed(level, MANY) * most / Math.log1p(limit), 2);
    for (int runs = (int) Math.min(mostRuns, Math.max(2, least)); runs < mostRuns; runs++) {
      double freedomThen = 2.0 * runs - 2;
      if (needed(level, freedomThen) * most * Math.sqrt(now / runs) <= Math.log1p(limit)) {
        return runs;
      }
    }
    return mostRuns;
  }
}

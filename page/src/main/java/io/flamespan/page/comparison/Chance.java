/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.comparison;

/**
 * Whether two sets of requests differ by more than chance. docs/internals/statistics.md has the
 * method and its sources. chance.js is the same for what the reader chooses in the browser.
 */
public final class Chance {
  /** How often rows that are judged together may have a false one. */
  public static final double LEVEL = 0.05;

  private static final int ENOUGH_REQUESTS = 100;
  private static final double MOST_CLUSTERS = 1e5;
  private static final double[] LANCZOS = {
    76.18009172947146, -86.50532032941678, 24.01409824083091,
    -1.231739572450155, 0.1208650973866179e-2, -0.5395239384953e-5
  };

  /** An amount of some requests. */
  public record Side(long requests, double amount) {}

  /**
   * How both sides together vary.
   *
   * @param cluster see {@link io.flamespan.page.results.Spread#cluster}
   * @param skew see {@link io.flamespan.page.results.Spread#skew}
   * @param sample the mean amount of a sample, 0 of samples that are not independent
   */
  public record Spreading(double cluster, double skew, double sample) {}

  /**
   * The difference of the amounts of a request.
   *
   * @param plusMinus what chance does to it; NaN if a side has no request, or if both have one,
   *     which does not tell how much others differ
   * @param chance whether it may be nothing but chance
   */
  public record Verdict(double difference, double plusMinus, boolean chance) {}

  private Chance() {}

  /**
   * Judges B against A.
   *
   * @param level the share of {@link #LEVEL} that this row has of the rows judged together
   */
  public static Verdict judge(Side a, Side b, Spreading spreading, double level) {
    double difference = mean(b) - mean(a);
    boolean both = a.requests > 0 && b.requests > 0;
    if (!both || a.requests + b.requests == 2) {
      return new Verdict(difference, Double.NaN, both || difference == 0);
    }
    double sigma = sigma(a, b, spreading);
    double plusMinus = sigma > 0 ? quantile(level) * sigma : 0;
    boolean chance = difference == 0 || !(probability(a, b, spreading) <= level);
    double size = Math.abs(difference);
    return new Verdict(
        difference, chance ? Math.max(plusMinus, size) : Math.min(plusMinus, size), chance);
  }

  /** The standard deviation of the difference of the amounts of a request. */
  public static double sigma(Side a, Side b, Spreading spreading) {
    double requests = (double) a.requests + b.requests;
    double variance = variance(a, b, spreading);
    return requests * Math.sqrt(variance / (requests - 1) / a.requests / b.requests);
  }

  private static double mean(Side side) {
    return side.requests == 0 ? 0 : side.amount / side.requests;
  }

  /** Of a request. Few requests do not tell that they differ by less than samples do. */
  private static double variance(Side a, Side b, Spreading spreading) {
    long requests = a.requests + b.requests;
    double mean = (a.amount + b.amount) / requests;
    double least = requests < ENOUGH_REQUESTS ? spreading.sample : 0;
    return mean * Math.max(spreading.cluster, least);
  }

  /** How often chance makes a difference of this size or a larger one, in either direction. */
  static double probability(Side a, Side b, Spreading spreading) {
    double more = probabilityOfMore(a, b, spreading);
    return Double.isNaN(more) ? 1 : Math.min(1, 2 * Math.min(more, 1 - more));
  }

  /** How often chance gives B at least as much. NaN if requests do not differ. */
  public static double probabilityOfMore(Side a, Side b, Spreading spreading) {
    double requests = (double) a.requests + b.requests;
    double scatter = variance(a, b, spreading) * requests * requests / (requests - 1);
    if (!(scatter > 0)) {
      return Double.NaN;
    }
    double least = Math.sqrt(scatter / MOST_CLUSTERS);
    double size = Math.abs(spreading.skew) < least ? least : spreading.skew;
    double clusters = scatter / (size * size);
    double share = b.requests / requests;
    double expected = share * (a.amount + b.amount);
    double ofB = clusters * share + (b.amount - expected) / size;
    double above =
        (beta(share, ofB, clusters - ofB + 1) + beta(share, ofB + 1, clusters - ofB)) / 2;
    return size > 0 ? above : 1 - above;
  }

  /** The regularized incomplete beta function; the tail of a binomial distribution. */
  static double beta(double x, double a, double b) {
    if (a <= 0 || b <= 0) {
      return a <= 0 ? 1 : 0;
    }
    double logarithm =
        lnGamma(a + b) - lnGamma(a) - lnGamma(b) + a * Math.log(x) + b * Math.log1p(-x);
    double factor = Math.exp(logarithm);
    return x < (a + 1) / (a + b + 2)
        ? factor * fraction(a, b, x) / a
        : 1 - factor * fraction(b, a, 1 - x) / b;
  }

  /** Lentz's method for the continued fraction of the incomplete beta function. */
  private static double fraction(double a, double b, double x) {
    double c = 1;
    double d = 1 / notZero(1 - (a + b) * x / (a + 1));
    double value = d;
    double change = 0;
    for (int m = 1; m < 10_000 && Math.abs(change - 1) > 1e-12; m++) {
      double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
      double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
      for (double step : new double[] {even, odd}) {
        d = 1 / notZero(1 + step * d);
        c = notZero(1 + step / c);
        change = c * d;
        value *= change;
      }
    }
    return value;
  }

  private static double notZero(double value) {
    return Math.abs(value) < 1e-300 ? 1e-300 : value;
  }

  private static double lnGamma(double x) {
    double sum = 1.000000000190015;
    for (int i = 0; i < LANCZOS.length; i++) {
      sum += LANCZOS[i] / (x + i + 1);
    }
    return (x + 0.5) * Math.log(x + 5.5) - (x + 5.5) + Math.log(2.5066282746310007 * sum / x);
  }

  /** How many standard deviations a normal distribution exceeds, in both directions, so often. */
  static double quantile(double level) {
    double t = Math.sqrt(-2 * Math.log(level / 2));
    return t
        - (2.515517 + t * (0.802853 + t * 0.010328))
            / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
  }
}

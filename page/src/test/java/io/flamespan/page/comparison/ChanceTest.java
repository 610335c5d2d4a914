/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.flamespan.page.results.Spread;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Simulates runs of the same code, and of code that is slower, with a fixed seed. */
class ChanceTest {
  private static final double PERIOD = 10e6;
  private static final double POINT = 0.01;
  private static final int RUNS = 3_000;
  private static final int DRAWS = 1_200_000; // requests of one simulation, at most

  /** How many samples a request has. */
  private enum Requests {
    POISSON(1, random -> poisson(random, 1)),
    RARELY_SAMPLED(0.1, random -> poisson(random, 0.1)),
    ONE_IN_TEN_SLOW(1.35, random -> poisson(random, random.nextInt(10) == 0 ? 9 : 0.5)),
    ONLY_ONE_IN_TEN(1, random -> random.nextInt(10) == 0 ? poisson(random, 10) : 0),
    ONE_IN_200_WITH_200(2, random -> poisson(random, 1) + (random.nextInt(200) == 0 ? 200 : 0)),
    ONLY_ONE_IN_200(1, random -> random.nextInt(200) == 0 ? 200 : 0),
    AT_MOST_ONE(0.4, random -> random.nextDouble() < 0.4 ? 1 : 0);

    final double mean;
    final ToDoubleFunction<Random> samples;

    Requests(double mean, ToDoubleFunction<Random> samples) {
      this.mean = mean;
      this.samples = samples;
    }
  }

  private final Random random = new Random(1);

  /** Two sides of requests, with the sums that a page has of them. */
  private final class Run {
    final Spread spread = new Spread();
    final double[] sums = new double[2];
    final long[] requests;

    Run(
        ToDoubleFunction<Random> a,
        long requestsOfA,
        ToDoubleFunction<Random> b,
        long requestsOfB) {
      requests = new long[] {requestsOfA, requestsOfB};
      for (int side = 0; side < 2; side++) {
        for (long i = 0; i < requests[side]; i++) {
          double amount = PERIOD * (side == 0 ? a : b).applyAsDouble(random);
          sums[side] += amount;
          spread.add(amount);
        }
      }
    }

    Chance.Verdict judge(double level) {
      long all = requests[0] + requests[1];
      return Chance.judge(
          new Chance.Side(requests[0], sums[0]),
          new Chance.Side(requests[1], sums[1]),
          new Chance.Spreading(spread.cluster(all), spread.skew(all), PERIOD),
          level);
    }

    boolean isCertain(double level) {
      return !judge(level).chance();
    }
  }

  private Run run(Requests model, double samples, int ratio) {
    long all = Math.max(2, Math.round(samples / model.mean));
    long ofB = Math.max(1, all / (1 + ratio));
    return new Run(model.samples, all - ofB, model.samples, ofB);
  }

  /** Counts are whole numbers, so that few of them differ for certain less often than that. */
  @ParameterizedTest
  @EnumSource(Requests.class)
  void sameCode_differsForCertain_asOftenAsTheLevelAllows(Requests model) {
    for (int ratio : new int[] {1, 10}) {
      for (int samples : new int[] {2, 4, 8, 16, 30, 60, 200, 600, 2_000}) {
        int runs = (int) Math.min(RUNS, DRAWS * model.mean / samples);
        int certain = 0;
        for (int i = 0; i < runs; i++) {
          certain += run(model, samples, ratio).isCertain(Chance.LEVEL) ? 1 : 0;
        }
        double noise = 3 * Math.sqrt(Chance.LEVEL / runs);
        assertThat((double) certain / runs)
            .as("%s, %d samples, 1:%d", model, samples, ratio)
            .isLessThan(Chance.LEVEL + POINT + noise);
        if (model == Requests.POISSON && samples >= 200) {
          assertThat((double) certain / runs).isCloseTo(Chance.LEVEL, within(POINT + noise));
        }
      }
    }
  }

  /** The levels of rows are their shares, so that a page has a false row once in twenty pages. */
  @ParameterizedTest
  @CsvSource({"1, 1", "20, 1", "200, 1", "1, 10", "20, 10", "200, 10"})
  void pageOfTheSameCode_hasAFalseRow_inOneOfTwentyAtMost(int endpoints, int ratio) {
    for (Requests model : Requests.values()) {
      int pages = 12_000 / (endpoints * 10 + 20);
      int wrong = 0;
      for (int page = 0; page < pages; page++) {
        Run[] rows = new Run[endpoints];
        double all = 0;
        for (int i = 0; i < endpoints; i++) {
          rows[i] = run(model, 2 + 400.0 / (1 + i), ratio);
          all += rows[i].sums[0] + rows[i].sums[1];
        }
        boolean any = false;
        for (Run row : rows) {
          any |= row.isCertain(Chance.LEVEL * (row.sums[0] + row.sums[1]) / Math.max(1, all));
        }
        wrong += any ? 1 : 0;
      }
      assertThat((double) wrong / pages)
          .as("%s, %d endpoints, 1:%d", model, endpoints, ratio)
          .isLessThan(Chance.LEVEL + 3 * Math.sqrt(Chance.LEVEL / pages));
    }
  }

  /**
   * 400 samples after 4,000 of ten times as many requests, or 400 after 400 of requests with one
   * sample at most. Of independent samples on equal sides, no test with this level finds 400
   * against 480 more often than in 77 of 100 cases.
   */
  @Test
  void methodWith400Samples_aFifthSlower_isFound() {
    assertThat(found(count -> poisson(count, 1), 4_000, count -> poisson(count, 1.2), 400))
        .isGreaterThan(0.9);
    assertThat(
            found(
                one -> one.nextDouble() < 0.4 ? 1 : 0,
                1_000,
                one -> one.nextDouble() < 0.48 ? 1 : 0,
                1_000))
        .isGreaterThan(0.9);
    assertThat(found(count -> poisson(count, 1), 400, count -> poisson(count, 1.2), 400))
        .isGreaterThan(0.73);
  }

  private double found(ToDoubleFunction<Random> a, int ofA, ToDoubleFunction<Random> b, int ofB) {
    int runs = 500;
    int found = 0;
    for (int i = 0; i < runs; i++) {
      found += new Run(a, ofA, b, ofB).isCertain(Chance.LEVEL) ? 1 : 0;
    }
    return (double) found / runs;
  }

  @Test
  void fewSamples_areJudgedByTheBinomialDistribution() {
    // All in B: twice 1 of 2^n, of which half counts, as no result is more extreme.
    assertThat(probability(1_000, 0, 1_000, 4)).isCloseTo(1 / 16., within(0.001));
    assertThat(probability(1_000, 0, 1_000, 8)).isCloseTo(1 / 256., within(0.0001));
    // One sample in a side with a tenth of the other's requests: 1 of 11.
    assertThat(probability(10_000, 0, 1_000, 1)).isCloseTo(1 / 11., within(0.001));
    assertThat(probability(1_000, 3, 1_000, 3)).isEqualTo(1, within(0.001));
  }

  /** Of samples in different requests. */
  private static double probability(long requestsOfA, int ofA, long requestsOfB, int ofB) {
    Spread spread = new Spread();
    for (int i = 0; i < ofA + ofB; i++) {
      spread.add(PERIOD);
    }
    long all = requestsOfA + requestsOfB;
    return Chance.probability(
        new Chance.Side(requestsOfA, ofA * PERIOD),
        new Chance.Side(requestsOfB, ofB * PERIOD),
        new Chance.Spreading(spread.cluster(all), spread.skew(all), PERIOD));
  }

  @Test
  void samplesOfOneRequest_countOnce() {
    Spread spread = new Spread();
    spread.add(200 * PERIOD);
    Chance.Verdict verdict =
        Chance.judge(
            new Chance.Side(1_000, 0),
            new Chance.Side(1_000, 200 * PERIOD),
            new Chance.Spreading(spread.cluster(2_000), spread.skew(2_000), PERIOD),
            Chance.LEVEL);
    assertThat(verdict.chance()).isTrue();
    assertThat(verdict.plusMinus()).isGreaterThanOrEqualTo(verdict.difference());
  }

  @Test
  void sidesThatAreEqualOrMissing_haveNoVerdict() {
    Chance.Spreading spreading = new Chance.Spreading(PERIOD, PERIOD, PERIOD);
    Chance.Side side = new Chance.Side(100, 50 * PERIOD);
    assertThat(Chance.judge(side, side, spreading, Chance.LEVEL).chance()).isTrue();
    Chance.Verdict onlyB = Chance.judge(new Chance.Side(0, 0), side, spreading, Chance.LEVEL);
    assertThat(onlyB.plusMinus()).isNaN();
    assertThat(onlyB.chance()).isFalse();
  }

  /** Against tables of the normal distribution. */
  @Test
  void quantiles_areThoseOfTheNormalDistribution() {
    assertThat(Chance.quantile(0.05)).isCloseTo(1.960, within(0.001));
    assertThat(Chance.quantile(0.0001)).isCloseTo(3.891, within(0.001));
  }

  private static double poisson(Random random, double mean) {
    double left = Math.exp(-mean);
    double product = random.nextDouble();
    int count = 0;
    while (product > left) {
      product *= random.nextDouble();
      count++;
    }
    return count;
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.page.results.Column;
import io.flamespan.page.results.EndpointResult;
import io.flamespan.page.results.FlameTrees;
import io.flamespan.page.results.Frame;
import io.flamespan.page.results.Frames;
import io.flamespan.page.results.Measure;
import io.flamespan.page.results.OwnCode;
import io.flamespan.page.results.RequestStacks;
import io.flamespan.page.results.StackRows;
import io.flamespan.page.results.StackTree;
import io.flamespan.page.results.Tally;
import io.flamespan.page.timeline.Measured;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Simulates requests of which the slow ones do, or do not, something else, with a fixed seed. */
class GroupComparisonTest {
  private static final long PERIOD = 10_000_000;
  private static final int METHODS = 8;
  private static final int CAUSE = METHODS - 1;
  private static final int RUNS = 200;
  private static final int TENANTS = 40;

  /** How requests differ although all of them do the same. */
  private enum Same {
    /** Of different sizes. */
    SIZES,
    /** Of one size: the slow ones are those with the most samples by chance. */
    NOISE,
    /** Of different sizes, beside a time of which samples do not tell. */
    OVERHEAD,
    /** What is on CPU, and a longer time of which samples do not tell, differ independently. */
    WAITS,
    /** Of different sizes, and the methods have different parts of each. */
    MIXTURES,
    /** Of different sizes, with samples that come five at a time. */
    BURSTS
  }

  private final Random random = new Random(1);

  /** Requests with the samples of methods. */
  private static final class Simulated {
    private record Request(long nanos, long[] samples) {}

    private final List<Request> requests = new ArrayList<>();

    void add(double nanos, long[] samples) {
      requests.add(new Request(Math.max(1, Math.round(nanos)), samples));
    }

    RequestStacks stacks() {
      requests.sort(Comparator.comparingLong(one -> -one.nanos()));
      StackTree tree = new StackTree(METHODS + 1);
      Frames frames = new Frames();
      for (int method = 0; method < METHODS; method++) {
        tree.child(StackTree.ROOT, frames.number(frame(method)));
      }
      return new RequestStacks(
          requests.stream().map(Simulated::dot).toList(),
          requests.stream().map(one -> Map.of("tenant", "" + one.nanos() % TENANTS)).toList(),
          place -> rows(requests.get(place)),
          tree,
          frames,
          new FlameTrees(tree, frames));
    }

    private static StackRows rows(Request request) {
      return visitor -> {
        for (int method = 0; method < METHODS; method++) {
          long samples = request.samples()[method];
          visitor.row(method + 1, -1, Measure.CPU, samples, samples * PERIOD);
        }
      };
    }

    private static EndpointResult.Dot dot(Request request) {
      Tally tally = new Tally();
      rows(request)
          .forEach((stack, bin, measure, count, amount) -> tally.add(measure, count, amount));
      return new EndpointResult.Dot(
          "", 0, 1, request.nanos(), tally, new Measured(request.nanos()));
    }
  }

  private static Frame frame(int method) {
    return new Frame("com.example.Shop.method" + method, "", "");
  }

  /** Requests of which each cause-th has so many samples more, in the last method; 0 for none. */
  private RequestStacks requests(Same same, int requests, int samples, int cause, double more) {
    Simulated simulated = new Simulated();
    for (int i = 0; i < requests; i++) {
      double size = same == Same.NOISE ? 1 : Math.exp(0.6 * random.nextGaussian());
      double[] mean = new double[METHODS];
      for (int method = 0; method < METHODS; method++) {
        double part = same == Same.MIXTURES ? -Math.log(random.nextDouble()) : 1;
        mean[method] = size * part * samples / METHODS;
      }
      if (cause > 0 && i % cause == 0) {
        mean[CAUSE] += more;
      }
      long[] of = new long[METHODS];
      double nanos = 0;
      for (int method = 0; method < METHODS; method++) {
        of[method] = same == Same.BURSTS ? 5 * poisson(mean[method] / 5) : poisson(mean[method]);
        nanos += PERIOD * (same == Same.NOISE ? of[method] : mean[method]);
      }
      if (same == Same.OVERHEAD) {
        nanos += 2.0 * samples * PERIOD;
      } else if (same == Same.WAITS) {
        nanos += 5.0 * samples * PERIOD * Math.exp(random.nextGaussian());
      }
      simulated.add(nanos + random.nextInt(1_000), of);
    }
    return simulated.stacks();
  }

  private static List<GroupComparison.Row> slowest(RequestStacks requests, String above) {
    Groups groups = Groups.by(Groups.DURATION, requests).orElseThrow();
    return comparison(requests, groups).rows(groups.pair(above).orElseThrow());
  }

  private static GroupComparison comparison(RequestStacks requests, Groups groups) {
    return new GroupComparison(
        requests, groups, List.of(Measure.CPU), Set.of(Column.OWN), OwnCode.withoutLibraries());
  }

  private static boolean anyIsCertain(List<GroupComparison.Row> rows) {
    return rows.stream().anyMatch(GroupComparison.Row::isCertain);
  }

  /** As many as one in twenty would do; three standard deviations are chance of the simulation. */
  @ParameterizedTest
  @EnumSource(Same.class)
  void slowRequestsThatDoTheSame_differForCertain_inOneOfTwentyCasesAtMost(Same same) {
    for (int requests : new int[] {60, 300, 2_000}) {
      for (int samples : new int[] {1, 10, 40}) {
        for (String above : List.of("p50", "p90", "")) {
          int runs = Math.min(RUNS, 60_000 / requests);
          int wrong = 0;
          for (int run = 0; run < runs; run++) {
            wrong += anyIsCertain(slowest(requests(same, requests, samples, 0, 0), above)) ? 1 : 0;
          }
          assertThat((double) wrong / runs)
              .as("%s, %d requests of %d samples, above %s", same, requests, samples, above)
              .isLessThanOrEqualTo(Chance.LEVEL + 3 * Math.sqrt(Chance.LEVEL / runs));
        }
      }
    }
  }

  /** The slowest of many is slow by chance, and is the one that is compared. */
  @Test
  void slowestValueOfAnAttributeThatMeansNothing_differs_inOneOfTwentyCasesAtMost() {
    for (Same same : List.of(Same.NOISE, Same.SIZES, Same.BURSTS)) {
      int wrong = 0;
      for (int run = 0; run < RUNS; run++) {
        RequestStacks requests = requests(same, 1_000, 10, 0, 0);
        Groups groups = Groups.by("tenant", requests).orElseThrow();
        assertThat(groups.of()).hasSize(TENANTS);
        wrong +=
            anyIsCertain(comparison(requests, groups).rows(groups.pair("").orElseThrow())) ? 1 : 0;
      }
      assertThat((double) wrong / RUNS)
          .as("%s", same)
          .isLessThan(Chance.LEVEL + 3 * Math.sqrt(Chance.LEVEL / RUNS));
    }
  }

  /** Without regard to how the groups were chosen, nearly every case would have a wrong row. */
  @Test
  void groupsThatWereChosenByDuration_comparedAsIfByChance_differ() {
    int wrong = 0;
    for (int run = 0; run < 20; run++) {
      RequestStacks requests = requests(Same.SIZES, 2_000, 10, 0, 0);
      Groups groups = Groups.by(Groups.DURATION, requests).orElseThrow();
      wrong +=
          anyIsCertain(
                  comparison(requests, new Groups(groups.of(), false))
                      .rows(groups.pair("p90").orElseThrow()))
              ? 1
              : 0;
    }
    assertThat(wrong).isEqualTo(20);
  }

  @ParameterizedTest
  @EnumSource(Same.class)
  void causeInOneOfAHundredRequests_isTheFirstRowAndCertain(Same same) {
    for (int run = 0; run < 20; run++) {
      RequestStacks requests = requests(same, 2_000, 10, 100, same == Same.WAITS ? 1_500 : 150);

      GroupComparison.Row first = slowest(requests, "p99").get(0);

      assertThat(first.frame()).as("%s, run %d", same, run).isEqualTo(frame(CAUSE));
      assertThat(first.isCertain()).as("%s, run %d", same, run).isTrue();
      assertThat(first.verdict().difference()).isGreaterThan(0);
      assertThat(first.verdict().plusMinus()).isLessThan(first.verdict().difference());
    }
  }

  @Test
  void causeInOneRequest_tellsNothing() {
    RequestStacks requests = requests(Same.SIZES, 60, 10, 100, 150);

    assertThat(slowest(requests, "p99"))
        .allSatisfy(
            row -> {
              assertThat(row.isCertain()).isFalse();
              assertThat(row.verdict().plusMinus()).isNaN();
            });
  }

  /** The rest of the same requests differs as often as its level allows. */
  @Test
  void rest_ofSlowRequestsThatOnlyHaveACause_isTheSame() {
    int others = 0;
    int different = 0;
    for (int run = 0; run < RUNS; run++) {
      Simulated simulated = new Simulated();
      for (int i = 0; i < 1_000; i++) {
        long[] samples = IntStream.range(0, METHODS).mapToLong(method -> poisson(2)).toArray();
        samples[CAUSE] = i % 100 == 0 ? 30 : 0;
        simulated.add((20 + samples[CAUSE]) * PERIOD + random.nextInt(1_000), samples);
      }
      RequestStacks requests = simulated.stacks();
      Groups groups = Groups.by(Groups.DURATION, requests).orElseThrow();
      Groups.Pair pair = groups.pair("p99").orElseThrow();
      GroupComparison comparison = comparison(requests, groups);
      List<GroupComparison.Row> causes =
          comparison.rows(pair).stream().filter(GroupComparison.Row::isCertain).toList();

      assertThat(causes.get(0).frame()).isEqualTo(frame(CAUSE));
      others += causes.size() - 1;
      different += comparison.rest(pair, causes.subList(0, 1)).chance() ? 0 : 1;
      assertThat(comparison.rest(pair, List.of()).chance()).isFalse();
    }
    assertThat(others).isZero();
    assertThat((double) different / RUNS)
        .isLessThan(Chance.LEVEL + 3 * Math.sqrt(Chance.LEVEL / RUNS));
  }

  @Test
  void groups_byDuration_areByNearestRank() {
    Simulated requests = new Simulated();
    for (int i = 1; i <= 200; i++) {
      requests.add(i * 1e6, new long[METHODS]);
    }
    Groups groups = Groups.by(Groups.DURATION, requests.stacks()).orElseThrow();

    assertThat(groups.of())
        .extracting(one -> one.name() + " " + one.places().length)
        .containsExactly("up to p50 100", "p50–p90 80", "p90–p99 18", "above p99 2");
    assertThat(groups.pair("").orElseThrow().b().name())
        .as("two requests are too few to begin with")
        .isEqualTo("above p90");
    assertThat(groups.pair("p99").orElseThrow().b().places()).containsExactlyInAnyOrder(0, 1);
    assertThat(groups.pair("p42")).isEmpty();
  }

  private long poisson(double mean) {
    if (mean > 200) {
      return Math.max(0, Math.round(mean + Math.sqrt(mean) * random.nextGaussian()));
    }
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

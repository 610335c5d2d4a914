/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.page.comparison.SimulatedRequests.Same;
import io.flamespan.page.results.Column;
import io.flamespan.page.results.EndpointResult;
import io.flamespan.page.results.Measure;
import io.flamespan.page.results.OwnCode;
import io.flamespan.page.results.RequestStacks;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.function.IntToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Simulates requests of which the slow ones do, or do not, something else, with a fixed seed. */
class GroupComparisonTest {
  private static final int RUNS = Integer.getInteger("test.simulations", 40);
  private static final int REQUESTS = 600 * RUNS; // of the runs of a case together

  private static final int BOXES = 20; // that divide a level, see box.js

  private final Random random = new Random(1);

  private static List<GroupComparison.Row> methods(SlowRequests slow, Groups.Pair pair) {
    return slow.causes(pair).stream().filter(row -> !row.ofKind()).toList();
  }

  private static SlowRequests slow(RequestStacks stacks) {
    return SimulatedRequests.slow(stacks, Groups.byDuration(stacks));
  }

  /** Three standard deviations are chance of the simulation. */
  private static double most(int runs) {
    return Chance.LEVEL + 3 * Math.sqrt(Chance.LEVEL / runs);
  }

  @ParameterizedTest
  @EnumSource(Same.class)
  void slowRequestsThatDoTheSame_haveACertainMethod_inOneOfTwentyCasesAtMost(Same same) {
    for (int requests : new int[] {60, 300, 2_000}) {
      for (double times : new double[] {0.1, 1, 5}) {
        int runs = Math.min(RUNS, REQUESTS / requests);
        int wrong = 0;
        int kinds = 0;
        for (int run = 0; run < runs; run++) {
          RequestStacks stacks = SimulatedRequests.same(random, same, requests, times, 0).stacks();
          SlowRequests slow = slow(stacks);
          List<Groups.Pair> pairs = Groups.byDuration(stacks).pairs();
          wrong += pairs.stream().anyMatch(pair -> !methods(slow, pair).isEmpty()) ? 1 : 0;
          kinds += pairs.stream().anyMatch(pair -> !slow.causes(pair).isEmpty()) ? 1 : 0;
        }
        assertThat((double) wrong / runs)
            .as("%s, %d requests of %.0f ms", same, requests, 80 * times)
            .isLessThanOrEqualTo(most(runs));
        if (same == Same.WAITS && requests == 2_000) {
          assertThat(kinds).as("waits as a whole").isGreaterThan(runs * 8 / 10);
        }
      }
    }
  }

  /** Also if samples are too few for most requests, and waits are exact. */
  @ParameterizedTest
  @ValueSource(doubles = {0.04, 0.1, 1})
  void cpuAndWaits_inProportion_areNoCauseAsAWholeEither(double times) {
    assertThat(wrong(Same.PROPORTIONS, 1_000, times, RUNS / 2)).isLessThanOrEqualTo(most(RUNS / 2));
  }

  /** Of two slow requests, both may be slow for the same reason by chance. */
  @ParameterizedTest
  @ValueSource(ints = {200, 1_000})
  void requestsThatAreSlowForDifferentReasons_haveNoCause(int requests) {
    assertThat(wrong(Same.TAILS, requests, 1, 2 * RUNS)).isLessThanOrEqualTo(Chance.LEVEL);
  }

  /** How often there is a cause. */
  private double wrong(Same same, int requests, double times, int runs) {
    int wrong = 0;
    for (int run = 0; run < runs; run++) {
      RequestStacks stacks = SimulatedRequests.same(random, same, requests, times, 0).stacks();
      SlowRequests slow = slow(stacks);
      wrong +=
          Groups.byDuration(stacks).pairs().stream().anyMatch(pair -> !slow.causes(pair).isEmpty())
              ? 1
              : 0;
    }
    return (double) wrong / runs;
  }

  @Test
  void allocation_inProportion_isNoCause() {
    for (int run = 0; run < RUNS / 5; run++) {
      RequestStacks stacks = SimulatedRequests.allocations(random, 1_000).stacks();
      Groups groups = Groups.byDuration(stacks);
      GroupComparison comparison = new GroupComparison(stacks, groups);
      stacks.methods(Set.of(Column.OWN), OwnCode.withoutLibraries(), comparison);

      for (Groups.Pair pair : groups.pairs()) {
        assertThat(comparison.rows(pair, Measure.ALLOC, Column.OWN, Chance.LEVEL / 3))
            .hasSize(2)
            .noneMatch(GroupComparison.Row::isCertain);
      }
    }
  }

  /** The slowest of many is slow by chance, and is the one that is compared. */
  @ParameterizedTest
  @ValueSource(ints = {3, 50})
  void valuesOfAnAttributeThatMeansNothing_differ_inOneOfTwentyCasesAtMost(int values) {
    for (Same same : List.of(Same.NOISE, Same.SIZES, Same.BURSTS, Same.WAITS)) {
      int wrong = 0;
      for (int run = 0; run < RUNS; run++) {
        RequestStacks stacks = SimulatedRequests.same(random, same, 500, 1, values).stacks();
        Groups groups = Groups.by("tenant", stacks).orElseThrow();
        SlowRequests slow = SimulatedRequests.slow(stacks, groups);
        wrong += groups.pairs().stream().anyMatch(pair -> !slow.causes(pair).isEmpty()) ? 1 : 0;
      }
      assertThat((double) wrong / RUNS).as("%s", same).isLessThanOrEqualTo(most(RUNS));
    }
  }

  /** Each has a part of the level, so that one page of twenty has a false one at most. */
  @Test
  void framesOfAPage_thatDoTheSame_differInOneOfTwentyCasesAtMost() {
    int wrong = 0;
    for (int run = 0; run < RUNS; run++) {
      RequestStacks stacks = SimulatedRequests.same(random, Same.SIZES, 300, 1, 0).stacks();
      Groups groups = Groups.byDuration(stacks);
      GroupComparison comparison = new GroupComparison(stacks, groups);
      Set<Column> columns = Set.of(Column.SELF, Column.TOTAL);
      stacks.methods(columns, OwnCode.withoutLibraries(), comparison);
      boolean any = false;
      for (Groups.Pair pair : groups.pairs()) {
        for (Column column : columns) {
          double level = Chance.LEVEL / 3 / columns.size();
          any |=
              comparison.rows(pair, Measure.CPU, column, level).stream()
                  .anyMatch(GroupComparison.Row::isCertain);
        }
      }
      wrong += any ? 1 : 0;
    }
    assertThat((double) wrong / RUNS).isLessThanOrEqualTo(most(RUNS));
  }

  /**
   * A reader draws many boxes. Those that cut CPU time choose requests by the samples that would be
   * compared: only their waits are judged.
   */
  @ParameterizedTest
  @EnumSource(Same.class)
  void twentyBoxes_ofRequestsThatDoTheSame_haveACertainMethod_inOneOfTwentyCasesAtMost(Same same) {
    for (int requests : new int[] {100, 300}) {
      int wrong = 0;
      for (int run = 0; run < RUNS; run++) {
        RequestStacks stacks = SimulatedRequests.same(random, same, requests, 1, 0).stacks();
        boolean any = false;
        for (int box = 0; box < BOXES && !any; box++) {
          any = isAnyCertain(stacks, box(stacks));
        }
        wrong += any ? 1 : 0;
      }
      assertThat((double) wrong / RUNS)
          .as("%s, %d requests", same, requests)
          .isLessThanOrEqualTo(most(RUNS));
    }
  }

  /** Whether it cuts CPU time, and the requests outside and inside. */
  private record Box(boolean cutsCpu, List<Groups.Group> groups) {}

  /** With two requests in its corners. */
  private Box box(RequestStacks stacks) {
    List<EndpointResult.Dot> all = stacks.all();
    EndpointResult.Dot one = all.get(random.nextInt(all.size()));
    EndpointResult.Dot other = all.get(random.nextInt(all.size()));
    boolean cutsCpu = random.nextBoolean();
    IntPredicate isInside =
        place ->
            isBetween(one, other, EndpointResult.Dot::durationNanos, all.get(place))
                && (!cutsCpu
                    || isBetween(one, other, dot -> dot.tally().cpuNanos(), all.get(place)));
    IntFunction<Groups.Group> group =
        is ->
            new Groups.Group(
                "" + is,
                IntStream.range(0, all.size())
                    .filter(place -> isInside.test(place) == (is == 1))
                    .toArray());
    return new Box(cutsCpu, List.of(group.apply(0), group.apply(1)));
  }

  private static boolean isBetween(
      EndpointResult.Dot one,
      EndpointResult.Dot other,
      ToLongFunction<EndpointResult.Dot> of,
      EndpointResult.Dot dot) {
    long from = of.applyAsLong(one);
    long to = of.applyAsLong(other);
    return Math.min(from, to) <= of.applyAsLong(dot) && of.applyAsLong(dot) <= Math.max(from, to);
  }

  /** As differing.js asks: whether they have more, and less. */
  private static boolean isAnyCertain(RequestStacks stacks, Box box) {
    List<Groups.Group> groups = box.groups();
    GroupComparison comparison = new GroupComparison(stacks, new Groups(groups, true));
    Set<Column> columns = Set.of(Column.SELF, Column.TOTAL);
    stacks.methods(columns, OwnCode.withoutLibraries(), comparison);
    List<Measure> measures = List.of(Measure.CPU, Measure.WAIT);
    double level = Chance.LEVEL / BOXES / measures.size() / columns.size();
    for (Measure measure : box.cutsCpu() ? List.of(Measure.WAIT) : measures) {
      for (Column column : columns) {
        for (int inside = 0; inside < 2; inside++) {
          Groups.Pair pair =
              new Groups.Pair(
                  groups.get(1 - inside), List.of(1 - inside), groups.get(inside), List.of(inside));
          if (comparison.rows(pair, measure, column, level).stream()
              .anyMatch(GroupComparison.Row::isCertain)) {
            return true;
          }
        }
      }
    }
    return false;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void causeInOneOfAHundredRequests_isTheFirstRowAndCertain(boolean waits) {
    for (int requests : new int[] {300, 1_000}) {
      for (int run = 0; run < 20; run++) {
        SlowRequests slow = slow(requests, 1, waits);

        GroupComparison.Row first = slow.rows(slow.pair()).get(0);

        assertThat(first.frame())
            .as("%d requests, run %d", requests, run)
            .isEqualTo(SimulatedRequests.cause(waits));
        assertThat(first.isCertain()).isTrue();
        assertThat(first.ofKind()).isFalse();
        assertThat(first.verdict().difference()).isBetween(480e6, 720e6);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void severalCauses_areAllCertain(int causes) {
    for (int run = 0; run < 20; run++) {
      SlowRequests slow = slow(causes * 500, causes, false);

      assertThat(methods(slow, slow.pair()))
          .as("run %d", run)
          .hasSize(causes)
          .allMatch(row -> row.verdict().plusMinus() <= row.verdict().difference());
    }
  }

  /** Each has one of ten causes. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void differentCausesOfAKind_areCertainAsAWhole(boolean waits) {
    int found = 0;
    for (int run = 0; run < 20; run++) {
      SlowRequests slow = slow(1_000, 10, waits);
      List<GroupComparison.Row> causes = slow.causes(slow.pair());
      found += causes.stream().anyMatch(GroupComparison.Row::ofKind) ? 1 : 0;
    }
    assertThat(found).isGreaterThan(14);
  }

  private SlowRequests slow(int requests, int causes, boolean waits) {
    return slow(
        SimulatedRequests.withCauses(
                random, requests, requests / 100, causes, waits, of -> 600 * SimulatedRequests.MS)
            .stacks());
  }

  /** A cause that takes differently long each time. */
  @ParameterizedTest
  @CsvSource({"0, 0.95", "0.5, 0.95", "1, 0.9"})
  void plusMinus_ofACauseThatVaries_holds(double sigma, double mostly) {
    double mean = 600 * SimulatedRequests.MS;
    List<Chance.Verdict> certain = new ArrayList<>();
    for (int run = 0; run < 4 * RUNS; run++) {
      RequestStacks stacks =
          SimulatedRequests.withCauses(
                  random,
                  1_000,
                  10,
                  1,
                  true,
                  of -> mean * Math.exp(sigma * of.nextGaussian() - sigma * sigma / 2))
              .stacks();
      Groups groups = Groups.byDuration(stacks);
      methods(SimulatedRequests.slow(stacks, groups), groups.pair("p99").orElseThrow()).stream()
          .filter(row -> row.frame().equals(SimulatedRequests.cause(true)))
          .forEach(row -> certain.add(row.verdict()));
    }
    double center =
        certain.stream().mapToDouble(Chance.Verdict::difference).average().orElseThrow();
    long held =
        certain.stream()
            .filter(one -> Math.abs(one.difference() - center) <= one.plusMinus())
            .count();

    assertThat(certain).hasSizeGreaterThan(3 * RUNS);
    assertThat((double) held / certain.size())
        .isGreaterThanOrEqualTo(mostly - 2 * Math.sqrt(mostly * (1 - mostly) / certain.size()));
  }

  @Test
  void causeInOneRequest_tellsNothing() {
    SlowRequests slow =
        slow(
            SimulatedRequests.withCauses(random, 60, 1, 1, false, of -> 600 * SimulatedRequests.MS)
                .stacks());
    Groups.Pair pair = slow.pair();

    assertThat(slow.causes(pair)).isEmpty();
    assertThat(slow.text(pair, name -> name))
        .contains("no single method is certain", "which may be chance or a larger request");
  }

  @Test
  void groups_byDuration_areByNearestRank() {
    Groups groups = Groups.byDuration(durations(200, i -> i));

    assertThat(groups.of())
        .extracting(one -> one.name() + " " + one.places().length)
        .containsExactly("up to p50 100", "p50–p90 80", "p90–p99 18", "above p99 2");
    assertThat(groups.pair("p99").orElseThrow().b().places()).containsExactlyInAnyOrder(0, 1);
    assertThat(groups.pair("p42")).isEmpty();
  }

  /** Else the typical ones would be those that are the slowest for another reason. */
  @Test
  void groups_ofEqualAmounts_haveThemInOneGroup() {
    Groups groups = Groups.byDuration(durations(200, i -> i > 198 ? 5 : 1));

    assertThat(groups.of())
        .extracting(one -> one.name() + " " + one.places().length)
        .containsExactly("up to p50 198", "p50–p90 0", "p90–p99 0", "above p99 2");
    assertThat(Groups.byDuration(durations(200, i -> 1)).pair("p50").orElseThrow().isEnough())
        .isFalse();
  }

  private RequestStacks durations(int count, IntToDoubleFunction millis) {
    SimulatedRequests requests = new SimulatedRequests(random, 1);
    for (int i = 1; i <= count; i++) {
      requests.add(millis.applyAsDouble(i) * 1e6, new double[1], new double[1], Map.of());
    }
    return requests.stacks();
  }
}

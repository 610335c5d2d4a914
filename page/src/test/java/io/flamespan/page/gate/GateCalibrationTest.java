/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import io.flamespan.page.comparison.StudentT;
import io.flamespan.page.output.GateMarkdown;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Simulates gates for code that did not change, and for code that became dearer by 5 %. */
class GateCalibrationTest {
  /** How many times as many gates are simulated. */
  private static final int TIMES = Integer.getInteger("test.gates", 1);

  private static final Rules FIVE_PERCENT = rules("5%");

  /** Without knowing how much runs differ. */
  private static final Rules ONE_RUN =
      Rules.parse(List.of("5%"), "cpu,duration", "load,endpoints", "0s");

  private static Rules rules(String limit) {
    return Rules.parse(List.of(limit), "cpu,duration", "load,runs", "0s");
  }

  /** The requests of each endpoint and run are few, so that nothing else keeps the gate shut. */
  @ParameterizedTest
  @CsvSource({
    "POISSON, 1, 2000, 1, 1, 200",
    "POISSON, 10, 400, 1, 1, 200",
    "POISSON, 10, 400, 10, 1, 100",
    "RARELY_SAMPLED, 10, 400, 1, 1, 200",
    "RARELY_SAMPLED, 10, 40, 10, 1, 100",
    "ONE_IN_TEN_SLOW, 10, 400, 1, 1, 200",
    "ONE_IN_TEN_SLOW, 10, 60, 10, 1, 100",
    "ONE_IN_200_WITH_200, 10, 400, 1, 1, 200",
    "ONE_IN_200_WITH_200, 10, 100, 10, 1, 100",
    "ONE_IN_200_WITH_200, 10, 3, 1, 1, 250",
    "POISSON, 200, 60, 1, 1, 100",
    "ONE_IN_TEN_SLOW, 200, 60, 1, 1, 100",
    "POISSON, 10, 200, 1, 3, 100",
    "ONE_IN_200_WITH_200, 10, 200, 1, 3, 100",
    "POISSON, 200, 20, 1, 1, 100",
    "ONE_IN_10_000_WITH_20_000, 10, 400, 1, 1, 100",
    "PARETO, 1, 400, 1, 1, 200",
    "PARETO, 10, 60, 10, 1, 100",
    "PARETO, 10, 100, 1, 5, 100"
  })
  void sameCode_isCalledDearer_onceInAHundredAtMost(
      SimulatedRuns.Requests model, int endpoints, int requests, int ratio, int runs, int gates) {
    SimulatedRuns simulated = new SimulatedRuns(1, model, endpoints);
    assertSeldomDearer(simulated, requests, ratio, runs, gates);
  }

  /** What lasts for longer than a request makes requests alike that follow each other. */
  @Test
  void sameCodeInPhases_isCalledDearer_onceInAHundredAtMost() {
    assertSeldomDearer(
        new SimulatedRuns(2, SimulatedRuns.Requests.MANY_SAMPLES, 5).inPhases(0.2), 1200, 1, 1, 80);
  }

  /** So that few of the 20 blocks of a run are independent. */
  @ParameterizedTest
  @CsvSource({"1, 10, 200", "1, 5, 200", "5, 10, 200", "5, 5, 200"})
  void sameCodeInLongPhases_isCalledDearer_onceInAHundredAtMost(
      int endpoints, int phases, int gates) {
    assertSeldomDearer(
        new SimulatedRuns(11, SimulatedRuns.Requests.MANY_SAMPLES, endpoints)
            .inPhases(0.2)
            .phases(phases),
        300,
        1,
        1,
        gates);
  }

  /** What requests share for so long may be longer than a few requests last. */
  @ParameterizedTest
  @CsvSource({"10, 2, 1, 1", "10, 2, 1, 7", "40, 4, 1, 7", "60, 6, 3, 1"})
  void sameCodeOfFewRequestsInPhases_isCalledDearer_onceInAHundredAtMost(
      int requests, int phases, int ofA, int ofB) {
    SimulatedRuns simulated =
        new SimulatedRuns(18, SimulatedRuns.Requests.EVEN, 10).inPhases(0.3).phases(phases);
    Rules anyLoad = Rules.parse(List.of("5%"), "duration", "load,runs", "0s");
    assertSeldomDearer(
        anyLoad,
        () -> new Sides(simulated.runs(ofA, requests, 1), simulated.runs(ofB, requests, 1)),
        200);
  }

  /** Compilation may take longer than what is left out, and weighs more in a short run. */
  @ParameterizedTest
  @ValueSource(doubles = {30, 60, 120})
  void sameCodeThatWarmsUp_inRunsOfOtherLengths_cannotBeCompared(double seconds) {
    Verdict verdict =
        Gate.judge(
            Rules.parse(List.of("5%"), "cpu", "load", ""),
            new Sides(
                warmingUp(seconds, 240).runs(5, 400, 1), warmingUp(seconds, 120).runs(5, 200, 1)));
    assertThat(verdict.status()).isEqualTo(Verdict.Status.NOT_COMPARABLE);
    assertThat(verdict.problems()).singleElement().asString().startsWith("different length: ");
  }

  /** Of which the longer ones have less of it in their means. */
  @ParameterizedTest
  @CsvSource({"'', 80, 60", "'', 60, 80", "10s, 80, 60", "10%, 160, 120"})
  void sameCodeThatWarmsUp_inRunsOfSimilarLengths_isNotCalledDearer(
      String warmUp, int ofA, int ofB) {
    Rules rules = Rules.parse(List.of("5%"), "cpu", "", warmUp);
    for (int gate = 0; gate < 10; gate++) {
      Verdict verdict =
          Gate.judge(
              rules,
              new Sides(
                  slowly(gate, 20, ofA).runs(5, 10 * ofA, 1),
                  slowly(gate + 100, 20, ofB).runs(5, 10 * ofB, 1)));
      assertThat(verdict.problems()).isEmpty();
      assertThat(verdict.status()).isNotEqualTo(Verdict.Status.DEARER);
      assertThat(verdict.endSeconds()).isEqualTo(Math.min(ofA, ofB));
      assertThat(verdict.lateRequests()).isCloseTo(5L * 5 * 10 * Math.abs(ofA - ofB), within(30L));
    }
  }

  @ParameterizedTest
  @CsvSource({"'', 60, 1.2", "10s, 180, 60"})
  void runsOfOtherLengths_ofWhicheverSide_cannotBeCompared(
      String warmUp, double longer, double shorter) {
    Rules rules = Rules.parse(List.of("5%"), "cpu", "", warmUp);
    List<Run> mixed = new ArrayList<>(slowly(1, 20, longer).runs(4, 100, 1));
    mixed.addAll(slowly(2, 20, shorter).runs(1, 100, 1));
    List<Run> others = slowly(3, 20, longer).runs(5, 100, 1);
    for (Sides sides : List.of(new Sides(mixed, others), new Sides(others, mixed))) {
      assertThat(Gate.judge(rules, sides).problems())
          .anyMatch(problem -> problem.startsWith("different length: "));
    }
  }

  /** A test that takes longer makes its run longer, and what follows it later. */
  @Test
  void withoutWarmUp_allRequestsCount() {
    Rules rules = Rules.parse(List.of("5%"), "cpu", "load", "0s");
    Verdict verdict =
        Gate.judge(
            rules, new Sides(slowly(1, 0, 60).runs(2, 100, 1), slowly(2, 0, 120).runs(2, 100, 1)));
    assertThat(verdict.problems()).isEmpty();
    assertThat(verdict.lateRequests()).isZero();
  }

  @Test
  void runWithAQuarterOfTheLoad_ofWhicheverSide_cannotBeCompared() {
    Rules rules = Rules.parse(List.of("5%"), "cpu", "", "0s");
    List<Run> mixed = new ArrayList<>(slowly(1, 0, 60).runs(4, 400, 1));
    mixed.addAll(slowly(2, 0, 60).runs(1, 100, 1));
    List<Run> others = slowly(3, 0, 60).runs(5, 400, 1);
    for (Sides sides : List.of(new Sides(mixed, others), new Sides(others, mixed))) {
      assertThat(Gate.judge(rules, sides).problems())
          .singleElement()
          .asString()
          .startsWith("different load: ");
    }
  }

  /** One that was started again had as many requests at each time. */
  @Test
  void processes_thatFollowEachOther_haveTheSameLoadAsOne() {
    Run one = slowly(1, 0, 100).runs(1, 400, 1).get(0);
    Run two =
        new Run(
            "started again",
            one.endpoints(),
            one.received(),
            one.beginNanos(),
            List.of(13.0, 87.0),
            one.jvms());
    Rules rules = Rules.parse(List.of("5%"), "cpu", "runs", "0s");
    assertThat(Gate.judge(rules, new Sides(List.of(one), List.of(two))).problems()).isEmpty();
  }

  /** What is left of the warm-up weighs little in them. */
  @ParameterizedTest
  @CsvSource({"0, 28800, 86400", "60, 3700, 11100", "120, 3700, 11100"})
  void sameCodeThatWarmsUp_inLongRunsOfOtherLengths_isNotCalledDearer(
      double warmUp, double shorter, double longer) {
    int dearer = 0;
    for (int gate = 0; gate < 20; gate++) {
      Verdict verdict =
          Gate.judge(
              Rules.parse(List.of("5%"), "cpu", "load", ""),
              new Sides(
                  slowly(gate, warmUp, longer).runs(5, 6000, 1),
                  slowly(gate + 100, warmUp, shorter).runs(5, 2000, 1)));
      assertThat(verdict.problems()).isEmpty();
      dearer += verdict.status() == Verdict.Status.DEARER ? 1 : 0;
    }
    assertThat(dearer).isZero();
  }

  private static SimulatedRuns slowly(int seed, double warmUp, double lasting) {
    return new SimulatedRuns(seed, SimulatedRuns.Requests.MANY_SAMPLES, 5)
        .warmingUp(Math.max(1, warmUp), 1)
        .lasting(lasting);
  }

  private static SimulatedRuns warmingUp(double seconds, double lasting) {
    return new SimulatedRuns(12, SimulatedRuns.Requests.MANY_SAMPLES, 5)
        .warmingUp(seconds, 1)
        .lasting(lasting);
  }

  /** Such as a job that fills a cache, and that one of five runs happens to have. */
  @Test
  void costOfOneRunOnly_isNotCalledDearer() {
    SimulatedRuns usual = new SimulatedRuns(13, SimulatedRuns.Requests.MANY_SAMPLES, 1);
    SimulatedRuns never = new SimulatedRuns(13, SimulatedRuns.Requests.MANY_SAMPLES, 1).inBursts(0);
    SimulatedRuns once =
        new SimulatedRuns(13, SimulatedRuns.Requests.MANY_SAMPLES, 1).inBursts(0.999);
    List<Run> a = new ArrayList<>();
    List<Run> b = new ArrayList<>();
    for (int run = 0; run < 5; run++) {
      SimulatedRuns job = run == 0 ? once : never;
      a.add(beside(usual.runs(1, 400, 1).get(0), never.runs(1, 400, 1).get(0)));
      b.add(beside(usual.runs(1, 400, 1).get(0), job.runs(1, 400, 1).get(0)));
    }
    assertThat(Gate.judge(FIVE_PERCENT, new Sides(a, b)).rows())
        .noneMatch(row -> row.state() == Row.State.DEARER);
  }

  @Test
  void twoKindsThatChange_areJudgedEach() {
    SimulatedRuns simulated = new SimulatedRuns(14, SimulatedRuns.Requests.MANY_SAMPLES, 3);
    Rules both = Rules.parse(List.of("5%"), "cpu,wall", "load,runs", "0s");
    Verdict verdict =
        Gate.judge(both, new Sides(simulated.runs(1, 2_000, 1), simulated.runs(1, 2_000, 1.3)));
    assertThat(verdict.rows())
        .filteredOn(row -> row.endpoint().equals("GET /0"))
        .extracting(Row::cost, Row::state)
        .containsExactlyInAnyOrder(
            tuple(Cost.CPU, Row.State.DEARER), tuple(Cost.WAIT, Row.State.WITHIN));
  }

  /** Five runs of one side are enough. */
  @Test
  void oneRunAgainstFive_asksForFourMoreOfThatSideOnly() {
    SimulatedRuns simulated = new SimulatedRuns(15, SimulatedRuns.Requests.MANY_SAMPLES, 3);
    Rules cpu = Rules.parse(List.of("5%"), "cpu", "load", "0s");
    List<Run> one = simulated.runs(1, 100, 1);
    List<Run> five = simulated.runs(5, 100, 1);
    assertThat(Gate.judge(cpu, new Sides(one, five)).rows())
        .allMatch(row -> row.moreRunsOfA() == 4 && row.moreRunsOfB() == 0)
        .allMatch(row -> row.moreRequestsOfA() == 400 && row.moreRequestsOfB() == 0);
    assertThat(Gate.judge(cpu, new Sides(five, one)).rows())
        .allMatch(row -> row.moreRunsOfA() == 0 && row.moreRunsOfB() == 4);
  }

  /** An endpoint that one of five runs has is in one of five more. */
  @Test
  void endpoint_ofOneRunOfFive_asksForRunsThatDoNotExist() {
    SimulatedRuns both = new SimulatedRuns(5, SimulatedRuns.Requests.MANY_SAMPLES, 2);
    SimulatedRuns first = new SimulatedRuns(6, SimulatedRuns.Requests.MANY_SAMPLES, 1);
    List<Run> a = new ArrayList<>(both.runs(1, 100, 1));
    a.addAll(first.runs(4, 100, 1));
    Rules cpu = Rules.parse(List.of("5%"), "cpu", "load,endpoints", "0s");
    assertThat(Gate.judge(cpu, new Sides(a, both.runs(5, 100, 1))).rows())
        .filteredOn(row -> row.endpoint().equals("GET /1"))
        .singleElement()
        .matches(row -> row.moreRunsOfA() == 20 && row.moreRunsOfB() == 0)
        .matches(row -> row.moreRequestsOfA() == 400 && row.moreRequestsOfB() == 0);
  }

  /** More requests of a run that warms up all the time are in blocks that are as much alike. */
  @ParameterizedTest
  @CsvSource({"'load,runs', 1200", "'load,runs', 12000", "load, 1200"})
  void farDearer_inOneRunEachThatWarmsUp_asksForRunsThatSuffice(String allow, int requests) {
    Rules cpu = Rules.parse(List.of("5%"), "cpu", allow, "10%");
    SimulatedRuns simulated = warmingUp(120, 240);
    Verdict verdict =
        Gate.judge(
            cpu, new Sides(simulated.runs(1, requests, 1), simulated.runs(1, requests, 1.5)));
    assertThat(verdict.status()).isEqualTo(Verdict.Status.NOT_ENOUGH);
    assertThat(verdict.rows())
        .filteredOn(row -> row.endpoint().equals("GET /0"))
        .singleElement()
        .matches(row -> row.moreRunsOfA() == 4 && row.moreRunsOfB() == 4)
        .matches(row -> row.moreRequestsOfA() < 0 && row.moreRequestsOfB() < 0);
    assertThat(GateMarkdown.text(verdict, 4_000))
        .contains("GET /0 needs at least 4 more runs on each side to show 5 %");
    assertThat(judge(cpu, simulated, 5, requests, 1.5).rows())
        .filteredOn(row -> row.state() == Row.State.DEARER)
        .extracting(Row::endpoint)
        .containsExactly("GET /0");
  }

  @Test
  void runs_moreThanAreLookedFor_areAskedForAtLeast() {
    SimulatedRuns simulated = new SimulatedRuns(3, SimulatedRuns.Requests.MANY_SAMPLES, 1);
    simulated.betweenRuns(0.5);
    Rules narrow = Rules.parse(List.of("0.1%"), "cpu", "load", "0s");
    Verdict verdict =
        Gate.judge(narrow, new Sides(simulated.runs(3, 100, 1), simulated.runs(3, 100, 1)));

    assertThat(GateMarkdown.text(verdict, 4_000))
        .contains("GET /0 needs at least 997 more runs on each side", "needs at least 997 more")
        .contains("Fewer than 5 runs on a side hardly tell how much runs of the same code differ");
  }

  /** As each run of tests has one. */
  @Test
  void twiceAsDear_ofManyEndpointsWithOneRequestOfEachRun_isFound() {
    SimulatedRuns tests = new SimulatedRuns(18, SimulatedRuns.Requests.MANY_SAMPLES, 40);
    Rules duration = Rules.parse(List.of("5%"), "duration", "load", "0s");
    Verdict verdict = Gate.judge(duration, new Sides(tests.runs(10, 1, 1), tests.runs(10, 1, 2)));

    assertThat(verdict.rows())
        .filteredOn(row -> row.state() == Row.State.DEARER)
        .extracting(Row::endpoint)
        .containsExactly("GET /0");
  }

  @Test
  void runs_inOrderOfTheirCost_areJudgedLikeOthers() {
    SimulatedRuns simulated =
        new SimulatedRuns(19, SimulatedRuns.Requests.MANY_SAMPLES, 1).betweenRuns(0.1);
    List<Run> a = simulated.runs(10, 100, 1);
    List<Run> b = simulated.runs(10, 100, 1.5);
    Rules cpu = Rules.parse(List.of("5%"), "cpu", "load", "0s");
    Comparator<Run> byCost =
        Comparator.comparingDouble(run -> run.endpoints().get(0).amount(Cost.CPU));

    Row row = Gate.judge(cpu, new Sides(a, b)).rows().get(0);
    Sides sorted =
        new Sides(a.stream().sorted(byCost).toList(), b.stream().sorted(byCost).toList());
    Row ofSorted = Gate.judge(cpu, sorted).rows().get(0);

    assertThat(row.state()).isEqualTo(Row.State.DEARER);
    assertThat(ofSorted.state()).isEqualTo(Row.State.DEARER);
    assertThat(ofSorted.plusMinus()).isEqualTo(row.plusMinus(), within(1e-9));
  }

  /** With one run on a side, this cannot be known. */
  @ParameterizedTest
  @CsvSource({"0.01, 3", "0.05, 3", "0.02, 5"})
  void sameCodeWhoseRunsDiffer_isCalledDearer_onceInAHundredAtMost(double share, int runs) {
    assertSeldomDearer(
        new SimulatedRuns(3, SimulatedRuns.Requests.MANY_SAMPLES, 10).betweenRuns(share),
        100,
        1,
        runs,
        100);
  }

  /** Two runs that happen to be alike do not tell that runs do not differ. */
  @ParameterizedTest
  @CsvSource({"2, 10", "10, 2", "2, 30"})
  void sameCode_inUnequalNumbersOfRuns_isCalledDearer_onceInAHundredAtMost(int ofA, int ofB) {
    SimulatedRuns simulated =
        new SimulatedRuns(16, SimulatedRuns.Requests.MANY_SAMPLES, 10).betweenRuns(0.1);
    assertSeldomDearer(
        FIVE_PERCENT, () -> new Sides(simulated.runs(ofA, 50, 1), simulated.runs(ofB, 50, 1)), 100);
  }

  /** Few runs that are alike may all have it, or all lack it, as those of other endpoints tell. */
  @ParameterizedTest
  @CsvSource({"0.2, 5, 3", "0.3, 5, 2", "0.5, 5, 2", "0.5, 3, 3", "0.5, 5, 1", "0.3, 3, 1"})
  void sameCodeThatIsDearInSomeRuns_ofFewRuns_isCalledDearer_onceInAHundredAtMost(
      double share, int ofA, int ofB) {
    SimulatedRuns simulated =
        new SimulatedRuns(19, SimulatedRuns.Requests.EVEN, 10)
            .betweenRuns(0.01)
            .sometimesDearer(share);
    Rules cpu = Rules.parse(List.of("5%"), "cpu", "load", "0s");
    assertSeldomDearer(
        cpu, () -> new Sides(simulated.runs(ofA, 20, 1), simulated.runs(ofB, 20, 1)), 300);
  }

  /** The others' median tells how runs differ, but not precisely. */
  @ParameterizedTest
  @CsvSource({"10, 0.1, 200", "30, 0.1, 200"})
  void sameCodeWhoseEndpointsDiffer_ofOneRunEach_isCalledDearer_onceInAHundredAtMost(
      int endpoints, double share, int gates) {
    assertSeldomDearer(
        ONE_RUN,
        new SimulatedRuns(17, SimulatedRuns.Requests.MANY_SAMPLES, endpoints).betweenRuns(share),
        100,
        1,
        1,
        gates);
  }

  /** Other work on the machine makes all endpoints dearer, and not by the same share. */
  @ParameterizedTest
  @CsvSource({"1, 400", "2, 400", "3, 400", "10, 200"})
  void sameCodeOnASlowerMachine_ofOneRunEach_isCalledDearer_onceInAHundredAtMost(
      int endpoints, int gates) {
    SimulatedRuns simulated =
        new SimulatedRuns(7, SimulatedRuns.Requests.MANY_SAMPLES, endpoints)
            .wholeRuns(0.2)
            .betweenRuns(0.05);
    assertSeldomDearer(ONE_RUN, simulated, 100, 1, 1, gates);
  }

  /** Of ten endpoints, other ones may have changed, too. */
  @ParameterizedTest
  @ValueSource(strings = {"1.6", "1.6 1.6", "2 0.2", "1.6 1.6 0.5 0.5"})
  void farDearer_ofOneRunEach_isFound(String changes) {
    double[] factors = Stream.of(changes.split(" ")).mapToDouble(Double::parseDouble).toArray();
    SimulatedRuns simulated = new SimulatedRuns(8, SimulatedRuns.Requests.MANY_SAMPLES, 10);
    for (int gate = 0; gate < 10 * TIMES; gate++) {
      Verdict verdict =
          Gate.judge(
              ONE_RUN, new Sides(simulated.runs(1, 1_000, 1), simulated.runs(1, 1_000, factors)));
      assertThat(verdict.rows())
          .filteredOn(row -> row.cost() == Cost.CPU && row.state() == Row.State.DEARER)
          .extracting(Row::endpoint)
          .contains("GET /0");
    }
  }

  /** ± of one endpoint takes runs to differ by 25 %, so that 1.65 times as dear is not certain. */
  @ParameterizedTest
  @CsvSource({"3, true", "5.5, true", "1.65, false"})
  void dearer_ofOneEndpointAndOneRunEach_isFoundIfFar(double factor, boolean found) {
    SimulatedRuns simulated = new SimulatedRuns(20, SimulatedRuns.Requests.MANY_SAMPLES, 1);
    Rules cpu = Rules.parse(List.of("5%"), "cpu", "", "0s");
    Verdict verdict = judge(cpu, simulated, 1, 200, factor);
    assertThat(verdict.status() == Verdict.Status.DEARER).isEqualTo(found);
    assertThat(verdict.rows().get(0).plusMinus()).isCloseTo(0.56 * factor, within(0.05 * factor));
    assertThat(GateMarkdown.text(verdict, 4_000)).contains("5 % (25 % of a single endpoint)");
  }

  /** Of many endpoints, the requests of some seem alike by chance. */
  @Test
  void manyEndpoints_ofOneRunEach_askForRequests() {
    SimulatedRuns simulated = new SimulatedRuns(21, SimulatedRuns.Requests.POISSON, 30);
    Rules cpu = Rules.parse(List.of("5%"), "cpu", "runs", "0s");
    int gates = 20 * TIMES;
    int runs = 0;
    for (int gate = 0; gate < gates; gate++) {
      Verdict verdict = judge(cpu, simulated, 1, 100, 1);
      runs += verdict.rows().stream().anyMatch(row -> row.moreRunsOfA() > 0) ? 1 : 0;
    }
    assertThat(runs).isLessThanOrEqualTo(gates / 10);
  }

  /** Five requests of another endpoint tell nothing of the runs. */
  @Test
  void farDearer_besideFewRequests_isFound() {
    for (int gate = 0; gate < 10 * TIMES; gate++) {
      SimulatedRuns large = new SimulatedRuns(gate, SimulatedRuns.Requests.MANY_SAMPLES, 3);
      SimulatedRuns small = new SimulatedRuns(gate, SimulatedRuns.Requests.POISSON, 3);
      Run before = large.runs(1, 1_000, 1).get(0);
      Run after = large.runs(1, 1_000, 2).get(0);
      Verdict verdict =
          Gate.judge(
              ONE_RUN,
              new Sides(
                  List.of(beside(before, small.runs(1, 5, 1).get(0))),
                  List.of(beside(after, small.runs(1, 5, 0.2).get(0)))));
      assertThat(verdict.status()).isEqualTo(Verdict.Status.DEARER);
    }
  }

  static Run beside(Run run, Run other) {
    List<EndpointCosts> all = new ArrayList<>(run.endpoints());
    EndpointCosts one = other.endpoints().get(0);
    all.add(
        new EndpointCosts(
            "GET /few",
            "shop",
            new long[one.requests()],
            new boolean[one.requests()],
            IntStream.range(0, Cost.values().length)
                .mapToObj(
                    cost ->
                        IntStream.range(0, one.requests())
                            .mapToDouble(
                                request -> one.amount(Cost.values()[cost], request, request + 1))
                            .toArray())
                .toArray(double[][]::new),
            (request, measure) -> Map.of()));
    return run.with(all);
  }

  @Test
  void named_withoutAnySample_isWithinTheLimit() {
    SimulatedRuns idle = new SimulatedRuns(9, SimulatedRuns.Requests.MANY_SAMPLES, 1);
    Rules named = Rules.parse(List.of("5%", "GET /few=5%"), "cpu", "load,runs", "0s");
    Run run = beside(idle.runs(1, 5_000, 1).get(0), idle.runs(1, 50, 0).get(0));
    assertThat(Gate.judge(named, new Sides(List.of(run), List.of(run))).status())
        .isEqualTo(Verdict.Status.PASSED);
  }

  private static void assertSeldomDearer(
      SimulatedRuns simulated, int requests, int ratio, int runs, int some) {
    assertSeldomDearer(FIVE_PERCENT, simulated, requests, ratio, runs, some);
  }

  private static void assertSeldomDearer(
      Rules rules, SimulatedRuns simulated, int requests, int ratio, int runs, int some) {
    assertSeldomDearer(
        rules,
        () ->
            new Sides(simulated.runs(runs, requests * ratio, 1), simulated.runs(runs, requests, 1)),
        some);
  }

  private static void assertSeldomDearer(Rules rules, Supplier<Sides> drawn, int some) {
    int gates = TIMES * some;
    int dearer = 0;
    for (int gate = 0; gate < gates; gate++) {
      Verdict verdict = Gate.judge(rules, drawn.get());
      assertThat(verdict.problems()).isEmpty();
      dearer += verdict.status() == Verdict.Status.DEARER ? 1 : 0;
    }
    assertThat(dearer).isLessThanOrEqualTo(mostFalse(gates));
  }

  /**
   * One of 100, so none of fewer. The seeds are fixed, so the draws are always the same, and this
   * bound is exact. A gate that is wrong in 3 of 100 cases exceeds it in 4 of 5 sets of 100 draws,
   * and in all sets of 1,000; one that is wrong in exactly 1 of 100 does in one of four, for which
   * other seeds have to be told from an error.
   */
  private static int mostFalse(int gates) {
    return (int) (Gate.LEVEL * gates);
  }

  /** What is asked for once suffices, though few runs or requests hardly tell it. */
  @ParameterizedTest
  @CsvSource({
    "MANY_SAMPLES, 0, 10, 1, 200, 10",
    "MANY_SAMPLES, 0, 1, 1, 100, 100",
    "EVEN, 0.02, 1, 2, 60, 100",
    "EVEN, 0.02, 1, 3, 60, 200",
    "EVEN, 0.03, 1, 5, 60, 100",
    "MANY_SAMPLES, 0.01, 10, 4, 100, 10"
  })
  void dearerByTheLimit_withWhatWasAskedFor_isFoundIn95Of100(
      SimulatedRuns.Requests model,
      double betweenRuns,
      int endpoints,
      int runs,
      int requests,
      int some) {
    int gates = TIMES * some;
    SimulatedRuns simulated = new SimulatedRuns(4, model, endpoints).betweenRuns(betweenRuns);
    Rules cpu = Rules.parse(List.of("5%"), "cpu", "runs", "0s");
    int found = 0;
    int other = 0;
    for (int gate = 0; gate < gates; gate++) {
      Verdict verdict = judge(cpu, simulated, runs, requests);
      if (verdict.status() == Verdict.Status.NOT_ENOUGH) {
        int moreRuns =
            verdict.rows().stream().filter(Row::counts).mapToInt(Row::moreRunsOfA).max().orElse(0);
        int moreRequests = runs == 1 && moreRuns == 0 ? asked(verdict) : 0;
        verdict = judge(cpu, simulated, runs + moreRuns, requests + moreRequests);
      }
      List<String> dearer =
          verdict.rows().stream()
              .filter(row -> row.state() == Row.State.DEARER)
              .map(Row::endpoint)
              .toList();
      found += dearer.contains("GET /0") ? 1 : 0;
      other += dearer.size() > 1 || (dearer.size() == 1 && !dearer.contains("GET /0")) ? 1 : 0;
    }
    assertThat((double) found / gates).isGreaterThanOrEqualTo(0.95);
    assertThat(other).isLessThanOrEqualTo(mostFalse(gates));
  }

  private static Verdict judge(Rules rules, SimulatedRuns simulated, int runs, int requests) {
    return judge(rules, simulated, runs, requests, 1.05);
  }

  private static Verdict judge(
      Rules rules, SimulatedRuns simulated, int runs, int requests, double factor) {
    return Gate.judge(
        rules,
        new Sides(simulated.runs(runs, requests, 1), simulated.runs(runs, requests, factor)));
  }

  private static int asked(Verdict verdict) {
    return (int)
        verdict.rows().stream().filter(Row::counts).mapToLong(Row::moreRequestsOfB).max().orElse(0);
  }

  /** Too few to see the rare slow ones: they must not pass because they look alike. */
  @ParameterizedTest
  @CsvSource({"300, 3", "3, 300", "10, 10", "19, 19"})
  void fewRequests_doNotPass(int ofA, int ofB) {
    SimulatedRuns simulated = new SimulatedRuns(5, SimulatedRuns.Requests.MANY_SAMPLES, 1);
    for (int gate = 0; gate < 30 * TIMES; gate++) {
      Verdict verdict =
          Gate.judge(FIVE_PERCENT, new Sides(simulated.runs(1, ofA, 1), simulated.runs(1, ofB, 1)));
      assertThat(verdict.rows())
          .allMatch(row -> row.state() == Row.State.DEARER || row.moreRequestsOfA() != 0);
    }
  }

  /** A limit that is exceeded passes as seldom as code without a change fails. */
  @ParameterizedTest
  @CsvSource({"ONE_IN_TEN_SLOW, 100, 1", "ONE_IN_200_WITH_200, 60, 1", "POISSON, 40, 10"})
  void dearerByTheLimit_passes_onceInAHundredAtMost(
      SimulatedRuns.Requests model, int requests, int ratio) {
    SimulatedRuns simulated = new SimulatedRuns(6, model, 1);
    Rules cpu = Rules.parse(List.of("50%"), "cpu", "load,runs", "0s");
    int gates = 200 * TIMES;
    int passed = 0;
    for (int gate = 0; gate < gates; gate++) {
      Verdict verdict =
          Gate.judge(
              cpu,
              new Sides(simulated.runs(1, requests * ratio, 1), simulated.runs(1, requests, 1.55)));
      passed += verdict.status() == Verdict.Status.PASSED ? 1 : 0;
    }
    assertThat(passed).isLessThanOrEqualTo(mostFalse(gates));
  }

  /** R: pt(2, 5, lower.tail = FALSE), qt(0.999, 4), qt(0.99999, 2). */
  @Test
  void studentT_isTheKnownOne() {
    assertThat(StudentT.tail(2, 5)).isCloseTo(0.05096974, within(1e-7));
    assertThat(StudentT.tail(-2, 5)).isCloseTo(1 - 0.05096974, within(1e-7));
    assertThat(StudentT.quantile(0.001, 4)).isCloseTo(7.173182, within(1e-5));
    assertThat(StudentT.quantile(0.00001, 2)).isCloseTo(223.6034, within(1e-3));
  }

  /** Holm 1979: 0.01 and 0.04 with equal weights, of which each step has one fewer. */
  @Test
  void holm_rejectsInSteps() {
    assertThat(Holm.levels(new double[] {0.04, 0.01, 0.3}, new double[] {1, 1, 1}, 0.06))
        .containsExactly(new double[] {0.03, 0.02, 0.03}, within(1e-9));
    assertThat(Holm.levels(new double[] {0.02, 0.012, 0.3}, new double[] {1, 1, 1}, 0.06))
        .containsExactly(new double[] {0.03, 0.02, 0.06}, within(1e-9));
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.page.gate.EndpointCosts;
import io.flamespan.page.gate.Gate;
import io.flamespan.page.gate.Row;
import io.flamespan.page.gate.Rules;
import io.flamespan.page.gate.Run;
import io.flamespan.page.gate.Sides;
import io.flamespan.page.gate.Verdict;
import io.flamespan.page.input.InputFiles;
import io.flamespan.page.input.Problems;
import io.flamespan.page.output.Outputs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Gates for real runs of the same code, of which both sides are drawn again and again. */
@EnabledIfSystemProperty(
    named = "page.test.runs",
    matches = ".+",
    disabledReason =
        "no real runs were judged: -Dpage.test.runs names them, make gate-check makes them")
class GateRealRunsTest {
  private static final int GATES = 100;
  private static final int MOST_STACKS = 1_000_000;
  private static final Rules CPU = Rules.parse(List.of("5%"), "cpu", "", "");

  private final Random random = new Random(1);
  private final List<Run> runs = new ArrayList<>();

  @BeforeEach
  void read() throws IOException {
    try (Stream<Path> directories = Files.list(Path.of(System.getProperty("page.test.runs")))) {
      for (Path directory : directories.sorted().toList()) {
        Problems problems = new Problems();
        FileSet set =
            FileSet.read(
                InputFiles.of(List.of(directory), Outputs.names(), problems),
                problems,
                MOST_STACKS,
                line -> {});
        runs.add(Run.of(directory.toString(), set.spans(), set.join(), set.results()));
      }
    }
    assertThat(runs).as("runs to draw twelve from").hasSizeGreaterThanOrEqualTo(12);
  }

  @Test
  void sameCodeByTurns_isCalledDearer_onceInAHundredAtMost() {
    for (String kinds : List.of("cpu", "cpu,alloc,duration")) {
      assertThat(dearer(kinds, 5, 5)).as(kinds).isLessThanOrEqualTo(1);
    }
  }

  @Test
  void sameCodeOfUnequalNumbersOfRuns_isCalledDearer_onceInAHundredAtMost() {
    assertThat(dearer("cpu,alloc,duration", 10, 2)).isLessThanOrEqualTo(1);
  }

  @Test
  void sameCodeOfOneRunEach_isCalledDearer_onceInAHundredAtMost() {
    assertThat(dearer("cpu", 1, 1)).isLessThanOrEqualTo(1);
  }

  /** Draws runs for each side, by turns as long as both lack some. */
  private int dearer(String kinds, int ofA, int ofB) {
    Rules rules = Rules.parse(List.of("5%"), kinds, "", "");
    Map<Verdict.Status, Integer> statuses = new EnumMap<>(Verdict.Status.class);
    for (int gate = 0; gate < GATES; gate++) {
      List<Integer> order = new ArrayList<>(IntStream.range(0, runs.size()).boxed().toList());
      Collections.shuffle(order, random);
      List<Integer> drawn = order.subList(0, ofA + ofB).stream().sorted().toList();
      List<Run> a = new ArrayList<>();
      List<Run> b = new ArrayList<>();
      for (int i = 0; i < drawn.size(); i++) {
        boolean first = i / 2 % 2 == 0 ? i % 2 == 0 : i % 2 == 1;
        boolean toA = a.size() < ofA && (first || b.size() == ofB);
        (toA ? a : b).add(runs.get(drawn.get(i)));
      }
      Verdict verdict = Gate.judge(rules, new Sides(a, b));
      statuses.merge(verdict.status(), 1, Integer::sum);
      if (verdict.status() == Verdict.Status.DEARER) {
        System.out.println(verdict.rows().get(0));
      }
      verdict.problems().stream().limit(1).forEach(System.out::println);
    }
    System.out.printf("%s, %d runs and %d: %s%n", kinds, ofA, ofB, statuses);
    assertCompared(statuses);
    return statuses.getOrDefault(Verdict.Status.DEARER, 0);
  }

  /** What cannot be compared is no evidence. */
  private static void assertCompared(Map<Verdict.Status, Integer> statuses) {
    assertThat(statuses.getOrDefault(Verdict.Status.NOT_COMPARABLE, 0))
        .isLessThanOrEqualTo(GATES / 10);
  }

  /** Requests of all runs, dealt to two sides of one run each: what a run is counts for neither. */
  @Test
  void sameRequestsDealtAtRandom_areCalledDearer_onceInAHundredAtMost() {
    Map<Verdict.Status, Integer> statuses = new EnumMap<>(Verdict.Status.class);
    for (int gate = 0; gate < GATES; gate++) {
      Run run = runs.get(gate % runs.size());
      Run[] dealt = dealt(run);
      Verdict verdict = Gate.judge(CPU, new Sides(List.of(dealt[0]), List.of(dealt[1])));
      statuses.merge(verdict.status(), 1, Integer::sum);
    }
    System.out.printf("dealt at random: %s%n", statuses);
    assertCompared(statuses);
    assertThat(statuses.getOrDefault(Verdict.Status.DEARER, 0)).isLessThanOrEqualTo(1);
  }

  private Run[] dealt(Run run) {
    List<List<EndpointCosts>> sides = List.of(new ArrayList<>(), new ArrayList<>());
    for (EndpointCosts one : run.endpoints()) {
      boolean[] toB = new boolean[one.requests()];
      for (int request = 0; request < toB.length; request++) {
        toB[request] = random.nextBoolean();
      }
      for (int side = 0; side < 2; side++) {
        boolean b = side == 1;
        int[] kept = IntStream.range(0, toB.length).filter(i -> toB[i] == b).toArray();
        sides.get(side).add(one.some(kept, 1));
      }
    }
    return new Run[] {run.with(sides.get(0)), run.with(sides.get(1))};
  }

  /**
   * Real runs, whose largest endpoint is 5 % dearer on side B; runs that are asked for are drawn.
   */
  @Test
  void dearerByTheLimit_withTheRunsAskedFor_isFoundIn95Of100() {
    String endpoint = runs.get(0).endpoints().get(0).name();
    Map<Verdict.Status, Integer> statuses = new EnumMap<>(Verdict.Status.class);
    List<Integer> asked = new ArrayList<>();
    for (int gate = 0; gate < GATES; gate++) {
      int each = 5;
      Verdict verdict = judge(endpoint, each);
      for (int ask = 0; ask < 5 && verdict.status() == Verdict.Status.NOT_ENOUGH; ask++) {
        each +=
            verdict.rows().stream().filter(Row::counts).mapToInt(Row::moreRunsOfA).max().orElse(0);
        verdict = judge(endpoint, each);
      }
      statuses.merge(verdict.status(), 1, Integer::sum);
      asked.add(each);
    }
    Collections.sort(asked);
    System.out.printf(
        "%s, 5 %% dearer: %s, with %d to %d runs on a side, mostly %d%n",
        endpoint, statuses, asked.get(0), asked.get(GATES - 1), asked.get(GATES / 2));
    assertThat(statuses.getOrDefault(Verdict.Status.DEARER, 0)).isGreaterThanOrEqualTo(95);
  }

  private Verdict judge(String endpoint, int each) {
    List<Run> a = new ArrayList<>();
    List<Run> b = new ArrayList<>();
    for (int run = 0; run < each; run++) {
      a.add(runs.get(random.nextInt(runs.size())));
      b.add(dearer(runs.get(random.nextInt(runs.size())), endpoint));
    }
    return Gate.judge(Rules.parse(List.of("5%"), "cpu", "load", ""), new Sides(a, b));
  }

  private static Run dearer(Run run, String endpoint) {
    List<EndpointCosts> all =
        run.endpoints().stream()
            .map(
                one ->
                    one.name().equals(endpoint)
                        ? one.some(IntStream.range(0, one.requests()).toArray(), 1.05)
                        : one)
            .toList();
    return run.with(all);
  }
}

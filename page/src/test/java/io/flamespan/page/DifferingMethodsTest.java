/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import io.flamespan.page.comparison.Chance;
import io.flamespan.page.comparison.GroupComparison;
import io.flamespan.page.comparison.Groups;
import io.flamespan.page.results.Column;
import io.flamespan.page.results.EndpointResult;
import io.flamespan.page.results.FlameTree;
import io.flamespan.page.results.FlameTrees;
import io.flamespan.page.results.Frame;
import io.flamespan.page.results.Frames;
import io.flamespan.page.results.Measure;
import io.flamespan.page.results.OwnCode;
import io.flamespan.page.results.RequestStacks;
import io.flamespan.page.results.StackTree;
import io.flamespan.page.results.Tally;
import io.flamespan.page.results.TimeSlices;
import io.flamespan.page.timeline.Measured;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;

/** What requests in a box have more or less of, as the browser judges it and as Java does. */
@DisabledIfSystemProperty(
    named = "page.test.chromium",
    matches = "none",
    disabledReason = "no browser, by -Dpage.test.chromium=none")
@Tag("other-programs")
class DifferingMethodsTest {
  private static final int CASES = 60;
  private static final double LEVEL = Chance.LEVEL / 4;
  private static final List<String> AMOUNTS = List.of("cpu", "waiting", "allocated", "locking");
  private static final List<String> COUNTS = List.of("samples", "waits", "allocations", "locks");
  private static final int METHODS = 8;

  private record Row(int stack, Measure measure, long count, long amount) {}

  private record Request(long nanos, List<Row> rows) {
    EndpointResult.Dot dot() {
      Tally tally = new Tally();
      rows.forEach(row -> tally.add(row.measure(), row.count(), row.amount()));
      return new EndpointResult.Dot("", 0, 1, nanos, tally, new Measured(nanos));
    }
  }

  private final Random random = new Random(3);
  private final Frames frames = new Frames();
  private final StackTree tree = new StackTree(1_000);
  private final List<Integer> stacks = new ArrayList<>(List.of(StackTree.ROOT));

  /** Recursive ones, and such as end in a class. */
  private void growStacks() {
    while (stacks.size() < 40) {
      int node = StackTree.ROOT;
      for (int depth = random.nextInt(5); depth >= 0; depth--) {
        String name = "com.example.Shop.m" + random.nextInt(METHODS);
        node = tree.child(node, frames.number(new Frame(name, "", "")));
      }
      if (random.nextInt(4) == 0) {
        node = tree.child(node, frames.number(new Frame("com.example.Item", "", "class")));
      }
      stacks.add(node);
    }
  }

  /** Of which those of a side have much more of a stack, or less, or the same. */
  private Request request(boolean isInside, Measure measure, int more) {
    double size = Math.exp(0.5 * random.nextGaussian());
    List<Row> rows = new ArrayList<>();
    for (int row = 0; row < 4; row++) {
      add(rows, stacks.get(random.nextInt(stacks.size())), measure, 1 + (int) (4 * size));
    }
    boolean has = more != 0 && isInside == more > 0;
    if (has || random.nextInt(5) == 0) {
      add(rows, stacks.get(7), measure, has ? 5 + random.nextInt(20) : 1);
    }
    add(rows, stacks.get(random.nextInt(stacks.size())), Measure.CPU, random.nextInt(3));
    long sum = rows.stream().mapToLong(Row::amount).sum();
    return new Request((long) ((sum + 1_000) * (0.5 + random.nextDouble())), rows);
  }

  private void add(List<Row> rows, int stack, Measure measure, int count) {
    if (count > 0) {
      long each = measure.isIndependent() ? 10_000_000 : 1 + random.nextInt(20_000_000);
      rows.add(new Row(stack, measure, count, count * each));
    }
  }

  @Test
  void methodsInWhichABoxDiffers_areThoseOfJava() throws IOException {
    growStacks();
    Set<String> certain = new java.util.HashSet<>();
    try (Browser browser = new Browser(800, 600, false)) {
      browser.driver().get("about:blank");
      for (int number = 0; number < CASES; number++) {
        Measure measure = Measure.values()[number % Measure.COUNT];
        int more = number / Measure.COUNT % 3 - 1;
        int count = number % 7 == 0 ? 3 + random.nextInt(3) : 30 + random.nextInt(300);
        List<Request> requests = new ArrayList<>();
        List<Boolean> isInside = new ArrayList<>();
        for (int i = 0; i < count; i++) {
          isInside.add(random.nextInt(4) == 0);
          requests.add(request(isInside.get(i), measure, more));
        }
        RequestStacks all = requestStacks(requests);
        Map<String, Double> expected = ofJava(all, isInside, measure);
        Map<String, Double> found = ofBrowser(browser, all, requests, isInside, measure);

        assertThat(found.keySet()).as("case %d", number).isEqualTo(expected.keySet());
        found.forEach(
            (row, plusMinus) ->
                assertThat(plusMinus).as(row).isCloseTo(expected.get(row), withinPercentage(1e-6)));
        if (!expected.isEmpty()) {
          certain.add(measure + " " + more);
        }
      }
    }
    assertThat(certain).contains("CPU 1", "CPU -1", "WAIT 1", "WAIT -1", "LOCK 1", "LOCK -1");
    assertThat(certain).doesNotContain("ALLOC 1", "ALLOC -1");
  }

  private RequestStacks requestStacks(List<Request> requests) {
    return new RequestStacks(
        requests.size(),
        () -> requests.stream().map(Request::dot).toList(),
        () -> requests.stream().map(one -> Map.<String, String>of()).toList(),
        place ->
            visitor ->
                requests
                    .get(place)
                    .rows()
                    .forEach(
                        row ->
                            visitor.row(row.stack(), -1, row.measure(), row.count(), row.amount())),
        tree,
        frames,
        new FlameTrees(tree, frames));
  }

  /** Both directions, as groups of Java ask for more only. */
  private static Map<String, Double> ofJava(
      RequestStacks all, List<Boolean> isInside, Measure measure) {
    Groups.Group outside = new Groups.Group("outside", places(isInside, false));
    Groups.Group inside = new Groups.Group("inside", places(isInside, true));
    GroupComparison comparison =
        new GroupComparison(all, new Groups(List.of(outside, inside), true));
    all.methods(Set.of(Column.SELF, Column.TOTAL), OwnCode.withoutLibraries(), comparison);
    Map<String, Double> certain = new TreeMap<>();
    for (Groups.Pair pair :
        List.of(
            new Groups.Pair(outside, List.of(0), inside, List.of(1)),
            new Groups.Pair(inside, List.of(1), outside, List.of(0)))) {
      for (Column column : List.of(Column.SELF, Column.TOTAL)) {
        comparison.rows(pair, measure, column, LEVEL).stream()
            .filter(GroupComparison.Row::isCertain)
            .forEach(
                row ->
                    certain.put(
                        column.name().toLowerCase(Locale.ROOT) + " " + row.frame().name(),
                        row.verdict().plusMinus()));
      }
    }
    return certain;
  }

  private static int[] places(List<Boolean> isInside, boolean which) {
    return IntStream.range(0, isInside.size())
        .filter(place -> isInside.get(place) == which)
        .toArray();
  }

  private static Map<String, Double> ofBrowser(
      Browser browser,
      RequestStacks all,
      List<Request> requests,
      List<Boolean> isInside,
      Measure measure)
      throws IOException {
    List<int[]> each =
        IntStream.range(0, requests.size()).mapToObj(place -> new int[] {place}).toList();
    TimeSlices slices = all.slices("GET /", each, 1_000, Integer.MAX_VALUE);
    List<List<String>> names = new ArrayList<>();
    FlameTree graph = slices.tree();
    long[] cells = slices.cells().keySet().toLongArray();
    Arrays.sort(cells);
    Tally[] tallies = Arrays.stream(cells).mapToObj(slices.cells()::get).toArray(Tally[]::new);
    Map<String, Object> data = new TreeMap<>();
    data.put("durations", requests.stream().map(Request::nanos).toList());
    data.put("samples", slices.bins().samples());
    data.put("parent", column(graph.size(), graph::parent));
    data.put("frame", column(graph.size(), node -> number(names, graph.frame(node))));
    data.put("bin", column(cells.length, cell -> TimeSlices.bin(cells[cell])));
    data.put("node", column(cells.length, cell -> TimeSlices.node(cells[cell])));
    for (Measure one : Measure.values()) {
      String amounts = AMOUNTS.get(one.ordinal());
      data.put(amounts, column(cells.length, cell -> tallies[cell].amount(one)));
      if (one != Measure.CPU) {
        String counts = COUNTS.get(one.ordinal());
        data.put(counts, column(cells.length, cell -> tallies[cell].count(one)));
      }
    }
    StringBuilder script = new StringBuilder();
    for (String name : List.of("format", "names", "graph", "chance", "lens", "differing")) {
      script.append(GraphFunctionsTest.script(name));
    }
    Gson gson = new Gson();
    Object found =
        browser
            .driver()
            .executeScript(
                script
                    + "return JSON.stringify([...differingMethods(...[...arguments].slice(0, 2).map((one) => JSON.parse(one)),"
                    + " LENSES.find(({name}) => name === arguments[2]), JSON.parse(arguments[3]),"
                    + " arguments[4])]);",
                gson.toJson(data),
                gson.toJson(names),
                AMOUNTS.get(measure.ordinal()),
                gson.toJson(isInside),
                LEVEL);
    Map<String, Double> certain = new TreeMap<>();
    for (JsonElement one : JsonParser.parseString(String.valueOf(found)).getAsJsonArray()) {
      String[] row = one.getAsJsonArray().get(0).getAsString().split(" ", -1);
      certain.put(
          row[0] + " " + names.get(Integer.parseInt(row[1])).get(0),
          one.getAsJsonArray().get(1).getAsDouble());
    }
    return certain;
  }

  private static long number(List<List<String>> names, Frame frame) {
    List<String> one = List.of(frame.name(), frame.file(), frame.kind());
    if (!names.contains(one)) {
      names.add(one);
    }
    return names.indexOf(one);
  }

  private static List<Long> column(int size, IntToLongFunction value) {
    return LongStream.range(0, size).map(i -> value.applyAsLong((int) i)).boxed().toList();
  }
}

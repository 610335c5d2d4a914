/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.flamespan.page.comparison.Chance;
import io.flamespan.page.comparison.GroupComparison;
import io.flamespan.page.comparison.Groups;
import io.flamespan.page.output.WrittenBox;
import io.flamespan.page.results.Column;
import io.flamespan.page.results.EndpointResult;
import io.flamespan.page.results.FlameTrees;
import io.flamespan.page.results.Frame;
import io.flamespan.page.results.Frames;
import io.flamespan.page.results.Measure;
import io.flamespan.page.results.OwnCode;
import io.flamespan.page.results.RequestStacks;
import io.flamespan.page.results.StackTree;
import io.flamespan.page.results.Tally;
import io.flamespan.page.timeline.Measured;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
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
  private static final int METHODS = 8;

  private record Sampled(int stack, Measure measure, long count, long amount) {}

  /**
   * What a method has.
   *
   * @param plusMinus signed, 0 if the difference is not certain
   */
  private record Row(double a, double b, double plusMinus) {}

  private record Request(long nanos, List<Sampled> rows) {
    EndpointResult.Dot dot() {
      Tally tally = new Tally();
      rows.forEach(row -> tally.add(row.measure(), row.count(), row.amount()));
      return new EndpointResult.Dot("", 0, 1, true, nanos, tally, new Measured(nanos));
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
    List<Sampled> rows = new ArrayList<>();
    for (int row = 0; row < 4; row++) {
      add(rows, stacks.get(random.nextInt(stacks.size())), measure, 1 + (int) (4 * size));
    }
    boolean has = more != 0 && isInside == more > 0;
    if (has || random.nextInt(5) == 0) {
      add(rows, stacks.get(7), measure, has ? 5 + random.nextInt(20) : 1);
    }
    add(rows, stacks.get(random.nextInt(stacks.size())), Measure.CPU, random.nextInt(3));
    long sum = rows.stream().mapToLong(Sampled::amount).sum();
    double parts = Math.max(0, random.nextDouble() * 1.55 - 0.05); // a duration may be 0
    return new Request((long) ((sum + 1_000) * parts), rows);
  }

  private void add(List<Sampled> rows, int stack, Measure measure, int count) {
    if (count > 0) {
      long each = measure.isIndependent() ? 10_000_000 : 1 + random.nextInt(20_000_000);
      rows.add(new Sampled(stack, measure, count, count * each));
    }
  }

  @Test
  void methodsInWhichABoxDiffers_areThoseOfJava() throws IOException {
    growStacks();
    Set<String> certain = new HashSet<>();
    int folded = 0;
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
        JsonObject page = WrittenBox.of(all, number % 2 == 0 ? 1_000 : 20);
        Map<String, Row> expected = ofJava(all, names(page), isInside, measure);
        Map<String, Row> found = ofBrowser(browser, page, isInside, measure);

        assertThat(found.keySet()).as("case %d", number).containsAll(expected.keySet());
        expected.forEach(
            (row, one) -> {
              assertThat(found.get(row).a()).as(row).isCloseTo(one.a(), withinPercentage(1e-6));
              assertThat(found.get(row).b()).as(row).isCloseTo(one.b(), withinPercentage(1e-6));
              assertThat(found.get(row).plusMinus())
                  .as(row)
                  .isCloseTo(one.plusMinus(), withinPercentage(1e-6));
            });
        folded += names(page).contains("(smaller frames)") ? 1 : 0;
        if (expected.values().stream().anyMatch(one -> one.plusMinus() != 0)) {
          certain.add(measure + " " + more);
        }
      }
    }
    assertThat(certain).contains("CPU 1", "CPU -1", "WAIT 1", "WAIT -1", "LOCK 1", "LOCK -1");
    assertThat(certain).doesNotContain("ALLOC 1", "ALLOC -1");
    assertThat(folded).as("cases whose graph sums up frames").isGreaterThan(CASES / 3);
  }

  /** Its callers in the box are so small that the graph sums them up. */
  @Test
  void method_thatOtherCallersCallAsMuch_differsByChanceOnly() throws IOException {
    int handle = tree.child(StackTree.ROOT, frames.number(new Frame("Shop.handle", "", "")));
    Frame get = new Frame("HashMap.get", "", "");
    List<Integer> callers = new ArrayList<>();
    for (int caller = 0; caller < 61; caller++) {
      int calls = tree.child(handle, frames.number(new Frame("Shop.rule" + caller, "", "")));
      callers.add(tree.child(calls, frames.number(get)));
    }
    int other = tree.child(handle, frames.number(new Frame("Shop.other", "", "")));
    List<Request> requests = new ArrayList<>();
    List<Boolean> isInside = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      List<Sampled> rows = new ArrayList<>();
      isInside.add(i < 100);
      for (int sample = 0; sample < 10; sample++) {
        add(rows, callers.get(i < 100 ? 1 + random.nextInt(60) : 0), Measure.CPU, 1);
      }
      add(rows, other, Measure.CPU, 8 + random.nextInt(5));
      requests.add(new Request(1_000_000_000L - i, rows));
    }
    try (Browser browser = new Browser(800, 600, false)) {
      browser.driver().get("about:blank");
      JsonObject page = WrittenBox.of(requestStacks(requests), 6);

      Row found = ofBrowser(browser, page, isInside, Measure.CPU).get("total HashMap.get");

      assertThat(names(page)).contains("(smaller frames)").doesNotContain("Shop.rule1");
      assertThat(found).isEqualTo(new Row(100e6, 100e6, 0));
    }
  }

  /** The method has 80 ms more for certain, ± 20 ms: 81 below one caller, 1 less below another. */
  @Test
  void frame_ofAMethodThatDiffers_isColouredIfItDiffersAsMuch() throws IOException {
    StringBuilder script = new StringBuilder();
    for (String name :
        List.of("format", "names", "graph", "narrow", "chance", "lens", "compare", "changes")) {
      script.append(GraphFunctionsTest.script(name));
    }
    script.append("const remembered = (compute) => compute;");
    script.append(
        "const frames = ['GET /', 'one', 'other', 'method'].map((name) => [name, '', '']);"
            + "const graph = graphOfOwn([-1, 0, 0, 1, 2], [0, 1, 2, 3, 3], frames,"
            + " {a: [0, 0, 0, 0, 2e6], b: [0, 0, 0, 81e6, 1e6]}, 0);"
            + "const side = {requests: 1};"
            + "const lens = (plusMinus) => differenceLens(graph, {a: side, b: side, sample: 1, known: true,"
            + " difference: {difference: 80e6, chance: true},"
            + " spreads: spreadsByMethod(2, undefined, (_, frame) => frame === 3 ? plusMinus : undefined)}, CPU);"
            + "return [20e6, -20e6].map((plusMinus) => graph.parent.map((_, node) =>"
            + " lens(plusMinus).data(graph, node).change).join()).join(';');");
    try (Browser browser = new Browser(800, 600, false)) {
      browser.driver().get("about:blank");
      assertThat(browser.driver().executeScript(script.toString()))
          .isEqualTo("same,same,same,more3,same;same,same,same,same,same");
    }
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
  private static Map<String, Row> ofJava(
      RequestStacks all, List<String> shown, List<Boolean> isInside, Measure measure) {
    Groups.Group outside = new Groups.Group("outside", places(isInside, false));
    Groups.Group inside = new Groups.Group("inside", places(isInside, true));
    GroupComparison comparison =
        new GroupComparison(all, new Groups(List.of(outside, inside), true));
    all.methods(
        Set.of(Column.SELF, Column.TOTAL),
        OwnCode.withoutLibraries(),
        (place, frame, column, of, amount) -> {
          if (shown.contains(all.frame(frame).name())) {
            comparison.method(place, frame, column, of, amount);
          }
        });
    Map<String, Row> rows = new TreeMap<>();
    for (Groups.Pair pair :
        List.of(
            new Groups.Pair(outside, List.of(0), inside, List.of(1)),
            new Groups.Pair(inside, List.of(1), outside, List.of(0)))) {
      for (Column column : List.of(Column.SELF, Column.TOTAL)) {
        boolean isMore = pair.b() == inside;
        for (GroupComparison.Row row : comparison.rows(pair, measure, column, LEVEL)) {
          String key = column.name().toLowerCase(Locale.ROOT) + " " + row.frame().name();
          double plusMinus = (isMore ? 1 : -1) * row.verdict().plusMinus();
          if (row.isCertain()) {
            rows.put(
                key, new Row(isMore ? row.a() : row.b(), isMore ? row.b() : row.a(), plusMinus));
          } else if (!row.frame().equals(GroupComparison.NO_OWN)) {
            rows.putIfAbsent(
                key, new Row(isMore ? row.a() : row.b(), isMore ? row.b() : row.a(), 0));
          }
        }
      }
    }
    return rows;
  }

  private static int[] places(List<Boolean> isInside, boolean which) {
    return IntStream.range(0, isInside.size())
        .filter(place -> isInside.get(place) == which)
        .toArray();
  }

  /** The page of all requests, whose graph has so many nodes at most. */
  private static Map<String, Row> ofBrowser(
      Browser browser, JsonObject page, List<Boolean> isInside, Measure measure)
      throws IOException {
    StringBuilder script = new StringBuilder();
    for (String name :
        List.of("format", "names", "graph", "narrow", "chance", "lens", "differing")) {
      script.append(GraphFunctionsTest.script(name));
    }
    Object found =
        browser
            .driver()
            .executeScript(
                script
                    + "const [box, isInside] = [...arguments].slice(0, 2).map((one) => JSON.parse(one));"
                    + " return JSON.stringify([...differingMethods(box,"
                    + " LENSES.find(({name}) => name === arguments[2]), isInside, arguments[3])]);",
                page.getAsJsonObject("box").toString(),
                new Gson().toJson(isInside),
                AMOUNTS.get(measure.ordinal()),
                LEVEL);
    double inside = isInside.stream().filter(is -> is).count();
    Map<String, Row> rows = new TreeMap<>();
    for (JsonElement one : JsonParser.parseString(String.valueOf(found)).getAsJsonArray()) {
      String[] row = one.getAsJsonArray().get(0).getAsString().split(" ", -1);
      JsonObject of = one.getAsJsonArray().get(1).getAsJsonObject();
      rows.put(
          row[0] + " " + names(page).get(Integer.parseInt(row[1])),
          new Row(
              of.get("a").getAsDouble() / Math.max(1, isInside.size() - inside),
              of.get("b").getAsDouble() / Math.max(1, inside),
              of.has("plusMinus") ? of.get("plusMinus").getAsDouble() : 0));
    }
    return rows;
  }

  private static List<String> names(JsonObject page) {
    return page.getAsJsonArray("frames").asList().stream()
        .map(one -> one.getAsJsonArray().get(0).getAsString())
        .toList();
  }
}

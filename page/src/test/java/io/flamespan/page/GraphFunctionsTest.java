/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.flamespan.page.comparison.Chance;
import io.flamespan.page.results.FlameTree;
import io.flamespan.page.results.Measure;
import io.flamespan.page.results.Sentence;
import io.flamespan.page.results.WaitReasons;
import io.flamespan.page.timeline.Measured;
import io.flamespan.page.timeline.Part;
import io.flamespan.page.timeline.Parts;
import io.flamespan.page.timeline.Recorded;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What the page makes of a graph, against the same made of its stacks: the page merges nodes, this
 * test sums stack by stack.
 */
@DisabledIfSystemProperty(
    named = "page.test.chromium",
    matches = "none",
    disabledReason = "no browser, by -Dpage.test.chromium=none")
@Tag("other-programs")
class GraphFunctionsTest {
  private record Frame(String name, String file, String kind, String collapsed) {}

  /** Frame 0 is that of the root. */
  private static final List<Frame> FRAMES =
      List.of(
          new Frame("GET /", "", "", ""),
          new Frame("void a.b.One.x(int)", "One.java", "jvm", "a.b.*"),
          new Frame("a.b.Two.y()", "Two.java", "jvm", "a.b.*"),
          new Frame("a.c.Three$Inner.z()", "Three.java", "jvm", "a.c.*"),
          new Frame("memcpy", "libc.so.6", "native", "libc.so.6.*"),
          new Frame("do_syscall_64", "vmlinux", "kernel", "kernel.*"),
          new Frame("Interpreter", "", "jvm", "Interpreter"),
          new Frame("sun/nio/ch/Net.poll", "Net.java", "jvm", "sun.nio.ch.*"),
          new Frame(
              "java.util.concurrent.locks.ReentrantLock.lock()",
              "",
              "jvm",
              "java.util.concurrent.locks.*"),
          new Frame("com.zaxxer.hikari.Pool.get", "", "jvm", "com.zaxxer.hikari.*"),
          new Frame("com.acme.Müller.läuft", "", "jvm", "com.acme.*"),
          new Frame("memcpy", "libz.so.1", "native", "libz.so.1.*"),
          new Frame("memcpy", "", "kernel", "kernel.*"));

  private static final Sentence SENTENCE =
      Sentence.of(() -> new Recorded(Set.of(), 0), name -> name);
  private static final int GRAPHS = 200;
  private static final int MOST_STACKS = 12;
  private static final int DEEPEST = 7;

  private static Browser browser;

  @BeforeAll
  static void open() {
    browser = new Browser(800, 600, false);
    browser.driver().get("about:blank");
  }

  @AfterAll
  static void close() {
    browser.close();
  }

  @Test
  void graph_unchanged_hasItsStacks() throws IOException {
    compare("graph => graph", stack -> stack);
  }

  @Test
  void answerMethod_isNamedForMethodsOfOneEndpointOnly() throws IOException {
    JsonElement answered =
        run(
            """
            [['com.example.Shop.find', '', 'jvm'], ['(smaller frames)', '', ''],
              ['com.example.*', '', 'package']].map((one) =>
                [{slow: {}}, {}].map((endpoint) => isAnswered({frames: [one]}, endpoint, 0)))""",
            tree(stacks(0)));

    assertThat(answered).hasToString("[[true,false],[false,false],[false,false]]");
  }

  @Test
  void sidesOf_aValue_areItsBinAndAllOthers() throws IOException {
    JsonElement sides =
        run(
            """
            [0, 1, 2].map((place) => {
              const slices = {requests: [1, 20, 300], durations: [5, 60, 700], samples: [0, 1, 2], known: [1, 20, 300],
                measured: {'samples onCpu': {bins: [0, 2], micros: [7, 8]}}, parent: [-1], frame: [0], bin: [0, 1, 1, 2], node: [0, 0, 0, 0], cpu: [1, 2, 4, 8]};
              const {slices: of, ranges: {A, B}} = sidesOf({parts: {}}, {by: 'tenant', slices}, place);
              return [A, B].map((range) => [sumInRange(of.requests, range), sumInRange(of.durations, range), sumInRange(of.samples, range),
                sumOfCells(of, 'cpu', range), measuredIn(of, range).sums['samples onCpu'].nanos]);
            })""",
            tree(stacks(0)));

    assertThat(sides)
        .hasToString(
            "[[[320,760,3,14,8000],[1,5,0,1,7000]],[[301,705,2,9,15000],[20,60,1,6,0]],"
                + "[[21,65,1,7,7000],[300,700,2,8,8000]]]");
  }

  @Test
  void recursionFolded_keepsTheFirstOfEachMethod_andWhatFollowsTheLast() throws IOException {
    compare(
        "recursionFolded",
        stack -> {
          List<Integer> folded = new ArrayList<>();
          for (int frame : stack) {
            int known = folded.indexOf(frame);
            if (known >= 0) {
              folded.subList(known + 1, folded.size()).clear();
            } else {
              folded.add(frame);
            }
          }
          return folded;
        });
  }

  @Test
  void turnedRound_isOfReversedStacks() throws IOException {
    compare("turnedRound", GraphFunctionsTest::reversed);
  }

  @Test
  void callersOf_isOfWhatIsAboveTheOutermostCall_reversed() throws IOException {
    compare(
        "graph => callersOf(graph, 2)",
        stack -> stack.contains(2) ? reversed(stack.subList(0, stack.indexOf(2))) : null);
  }

  @Test
  void calleesOf_isOfWhatIsBelowTheOutermostCall() throws IOException {
    compare(
        "graph => calleesOf(graph, 2)",
        stack -> stack.contains(2) ? stack.subList(stack.indexOf(2) + 1, stack.size()) : null);
  }

  @Test
  void packagesCollapsed_mergesNeighboursOfOnePackage() throws IOException {
    for (int seed = 0; seed < GRAPHS; seed++) {
      Map<List<Integer>, Long> stacks = stacks(seed);
      Map<String, Long> expected = new TreeMap<>();
      stacks.forEach(
          (stack, value) -> {
            List<String> names = new ArrayList<>();
            for (int number : stack) {
              Frame frame = FRAMES.get(number);
              boolean same =
                  !names.isEmpty()
                      && names.get(names.size() - 1).equals(frame.collapsed())
                      && !frame.collapsed().equals(frame.name());
              if (!same) {
                names.add(frame.collapsed());
              }
            }
            expected.merge(String.join(";", names), value, Long::sum);
          });
      assertThat(folded("packagesCollapsed", tree(stacks))).as("seed %d", seed).isEqualTo(expected);
    }
  }

  @Test
  void methods_haveTimeInThem_andInOrBelowThemOnce() throws IOException {
    for (int seed = 0; seed < GRAPHS; seed++) {
      Map<List<Integer>, Long> stacks = stacks(seed);
      Map<Integer, List<Long>> expected = new TreeMap<>();
      stacks.forEach(
          (stack, value) -> {
            for (int frame : new HashSet<>(stack)) {
              boolean leaf = stack.get(stack.size() - 1) == frame;
              expected.merge(
                  frame,
                  List.of(leaf ? value : 0, value),
                  (a, b) -> List.of(a.get(0) + b.get(0), a.get(1) + b.get(1)));
            }
          });
      Map<Integer, List<Long>> methods = new TreeMap<>();
      JsonArray rows =
          run(
                  "methodsOf(graph).map(({frame, self, total}) => [frame, self.cpu, total.cpu])",
                  tree(stacks))
              .getAsJsonArray();
      rows.forEach(
          row -> {
            JsonArray columns = row.getAsJsonArray();
            methods.put(
                columns.get(0).getAsInt(),
                List.of(columns.get(1).getAsLong(), columns.get(2).getAsLong()));
          });
      assertThat(methods).as("seed %d", seed).isEqualTo(expected);
    }
  }

  @Test
  void found_belowAZoomedNode_countsItsStacksWithAMatchOnce() throws IOException {
    for (int seed = 0; seed < GRAPHS; seed++) {
      Map<List<Integer>, Long> stacks = stacks(seed);
      List<Integer> zoomed = stacks.keySet().iterator().next().stream().limit(2).toList();
      long expected =
          stacks.entrySet().stream()
              .filter(one -> one.getKey().size() >= zoomed.size())
              .filter(one -> one.getKey().subList(0, zoomed.size()).equals(zoomed))
              .filter(one -> one.getKey().contains(1) || one.getKey().contains(4))
              .mapToLong(Map.Entry::getValue)
              .sum();
      String path = zoomed.stream().map(frame -> FRAMES.get(frame).name()).toList().toString();
      JsonObject tree = tree(stacks);
      assertThat(
              run(
                      "(() => { let node = 0; for (const frame of "
                          + zoomed
                          + ") node = graph.parent.findIndex((parent, child) => parent === node &&"
                          + " graph.frame[child] === frame); return foundIn(graph,"
                          + " graph.values.cpu, node, (frame) => frame === 1 || frame === 4).sum;"
                          + " })()",
                      tree)
                  .getAsLong())
          .as("seed %d, %s", seed, path)
          .isEqualTo(expected);
    }
  }

  @Test
  void pathOfANode_leadsBackToIt() throws IOException {
    for (int seed = 0; seed < GRAPHS; seed++) {
      assertThat(
              run(
                      "graph.parent.every((_, node) => nodeOfPath(graph, pathName(graph, node)) ==="
                          + " node)",
                      tree(stacks(seed)))
                  .getAsBoolean())
          .as("seed %d", seed)
          .isTrue();
    }
  }

  @Test
  void pathOfANode_asItWasWithoutKindsAndFiles_leadsToTheFirstOfItsNames() throws IOException {
    for (int seed = 0; seed < GRAPHS; seed++) {
      assertThat(
              run(
                      """
                  ((names, hash) => names.every((path) => nodeOfPath(graph, hash(path)) === names.indexOf(path)))(
                    graph.parent.reduce((names, parent, node) =>
                      [...names, node === 0 ? '' : `${names[parent]}${graph.frames[graph.frame[node]][0]}\\n`], []),
                    (path) => [...path].reduce((hash, unit) => Math.imul(hash ^ unit.codePointAt(0), 0x01000193) >>> 0, 0x811c9dc5)
                      .toString(36))""",
                      tree(stacks(seed)))
                  .getAsBoolean())
          .as("seed %d", seed)
          .isTrue();
    }
  }

  /** Of the frames memcpy in two libraries and the kernel. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''                      | [4,11,12]",
        "native libc.so.6        | [4]",
        "native libz.so.1        | [11]",
        "native /opt/2/libz.so.1 | [11]",
        "native libm.so.6        | []",
        "native                  | [4,11]",
        "kernel                  | [12]",
        "kernel vmlinux          | [12]",
        "jvm                     | []",
      })
  void frames_ofAnAddress_areThoseOfItsKindAndFile(String origin, String expected)
      throws IOException {
    assertThat(run("framesMeant(graph.frames, 'memcpy', '" + origin + "')", tree(stacks(0))))
        .hasToString(expected);
  }

  @Test
  void namesOfATable_thatAreEqual_haveWhatTellsThemApart() throws IOException {
    assertThat(
            run(
                """
                [...distinctNames([['a.b.One.x(int)', '', 'jvm'], ['a.c.One.x()', '', 'jvm'], ['a.b.Two.y()', '', 'jvm'],
                  ['memcpy', '', 'native'], ['memcpy', '', 'kernel'], ['memset', 'libc.so.6', 'native'],
                  ['memset', 'libz.so.1', 'native']], [0, 1, 2, 3, 4, 5, 6]).values()]""",
                tree(stacks(0))))
        .hasToString(
            "[\"a.b.One.x(int)\",\"a.c.One.x()\",\"Two.y\",\"memcpy (native)\",\"memcpy"
                + " (kernel)\",\"memset (native, libc.so.6)\",\"memset (native, libz.so.1)\"]");
  }

  /**
   * Of the root and a method in two bins, with samples that stand for different times or the same.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[0, 1] | cpuSamples: [2, 1, 1] | [10,5] | [3,1]",
        "[0, 2] | cpuSamples: [2, 1, 1] | [15,5] | [4,1]",
        "[0, 2] | sampleNanos: 5        | [15,5] | [3,1]",
      })
  void samplesOfARange_areThoseOfItsCells(String range, String counts, String cpu, String samples)
      throws IOException {
    String slices =
        "{parent: [-1, 0], frame: [0, 1], leftOut: 0, bin: [0, 0, 1], node: [0, 1, 0], cpu: [5, 5,"
            + " 5], samples: [3, 1], "
            + counts
            + "}";
    String graph =
        "graphInRange({slices: " + slices + ", tally: {cpu: 15, samples: 15}}, graph.frames, ";
    assertThat(
            run(
                "(({values}) => [values.cpu, values.samples])(" + graph + range + "))",
                tree(stacks(0))))
        .hasToString("[" + cpu + "," + samples + "]");
  }

  @Test
  void samplesOfADifference_areThoseOfItsCells() throws IOException {
    assertThat(
            run(
                """
                (({aSamples, bSamples}) => [aSamples, bSamples])(differentialGraph({parent: [-1, 0], frame: [0, 1], leftOut: 0,
                  bin: [0, 0, 1], node: [0, 1, 1], cpu: [1, 9, 5], cpuSamples: [1, 3, 1]}, graph.frames, {A: [0, 1], B: [1, 2]}, CPU).values)""",
                tree(stacks(0))))
        .hasToString("[[4,3],[1,1]]");
  }

  @Test
  void layout_hasSharesOfTheZoomedNode_withoutGapsOrOverlaps() throws IOException {
    for (int seed = 0; seed < GRAPHS; seed++) {
      assertThat(
              run(
                      """
                      graph.parent.every((_, zoomed) => {
                        const values = graph.values.cpu;
                        const places = layoutOf(graph, values, zoomed, 0);
                        return places.every(({node, left, width, above}) => above ? width === 1
                          : Math.abs(width - values[node] / values[zoomed]) < 1e-9
                            && places.every((other) => other.node === node || graph.parent[other.node] !== graph.parent[node]
                              || other.left >= left + width - 1e-9 || left >= other.left + other.width - 1e-9));
                      })\
                      """,
                      tree(stacks(seed)))
                  .getAsBoolean())
          .as("seed %d", seed)
          .isTrue();
    }
  }

  /** Of random sides: few and many requests, with and without amounts, of long and short tails. */
  @Test
  void verdicts_areThoseOfJava() throws IOException {
    Random random = new Random(7);
    List<List<Double>> cases = new ArrayList<>();
    List<Chance.Verdict> expected = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      long ofA = random.nextInt(5) == 0 ? random.nextInt(3) : random.nextInt(3_000);
      long ofB = random.nextInt(5) == 0 ? random.nextInt(3) : random.nextInt(3_000);
      double sample = 1 + random.nextInt(20);
      double a = ofA * sample * random.nextInt(3);
      double b = ofB == 0 ? 0 : Math.round(a * (0.5 + random.nextDouble()) * ofB / (ofA + 1.));
      double cluster = sample * random.nextInt(40) / 4;
      double skew = cluster * (random.nextInt(9) - 2) / 2;
      double level = Chance.LEVEL / (1 + random.nextInt(100));
      cases.add(List.of((double) ofA, a, (double) ofB, b, cluster, skew, sample, level));
      expected.add(
          Chance.judge(
              new Chance.Side(ofA, a),
              new Chance.Side(ofB, b),
              new Chance.Spreading(cluster, skew, sample),
              level));
    }
    JsonArray found =
        run(
                new Gson().toJson(cases)
                    + ".map(([ofA, a, ofB, b, cluster, skew, sample, level]) => judge({requests:"
                    + " ofA, amount: a}, {requests: ofB, amount: b}, [cluster, skew], sample,"
                    + " level))",
                tree(stacks(0)))
            .getAsJsonArray();
    for (int i = 0; i < expected.size(); i++) {
      JsonObject one = found.get(i).getAsJsonObject();
      Chance.Verdict verdict = expected.get(i);
      assertThat(one.get("chance").getAsBoolean())
          .as("%s", cases.get(i))
          .isEqualTo(verdict.chance());
      if (Double.isNaN(verdict.plusMinus())) {
        assertThat(one.get("plusMinus").isJsonNull()).isTrue();
      } else {
        assertThat(one.get("plusMinus").getAsDouble())
            .isCloseTo(verdict.plusMinus(), withinPercentage(1e-9));
      }
    }
    assertThat(expected).extracting(Chance.Verdict::chance).contains(true, false);
  }

  /** Of random sums, in two bins, also such that exceed the duration, and random graphs. */
  @Test
  void partsAndSentenceOfARange_areThoseOfJava() throws IOException {
    Random random = new Random(11);
    Set<String> names = new HashSet<>();
    for (int seed = 0; seed < GRAPHS; seed++) {
      Measured sum = Measured.sum();
      JsonObject slices = new JsonObject();
      JsonArray requests = new JsonArray();
      JsonArray durations = new JsonArray();
      JsonObject measured = new JsonObject();
      for (int bin = 0; bin < 2; bin++) {
        Measured ofBin = Measured.sum();
        for (int request = random.nextInt(3) + 1 - bin; request > 0; request--) {
          Measured one = measured(random);
          ofBin.add(one);
          sum.add(one);
        }
        requests.add(ofBin.requests());
        durations.add(ofBin.durationNanos());
        for (Measured.Sum one : ofBin.sums()) {
          String name = one.source().key() + " " + one.part().key();
          if (!measured.has(name)) {
            measured.add(name, new JsonObject());
          }
          JsonObject columns = measured.getAsJsonObject(name);
          add(columns, "bins", bin);
          add(columns, "micros", one.nanos() / 1e3);
          add(columns, "counts", one.count());
          add(columns, "squares", one.squares() / 1e6);
        }
      }
      slices.add("requests", requests);
      slices.add("durations", durations);
      slices.add("measured", measured);
      JsonObject stacks = tree(stacks(seed));
      FlameTree tree = new FlameTree("");
      for (int node = 0; node < stacks.getAsJsonArray("parent").size(); node++) {
        Frame frame = FRAMES.get(stacks.getAsJsonArray("frame").get(node).getAsInt());
        if (node > 0) {
          tree.add(
              stacks.getAsJsonArray("parent").get(node).getAsInt(),
              new io.flamespan.page.results.Frame(frame.name(), frame.file(), frame.kind()));
        }
      }
      Map.of("cpu", Measure.CPU, "waiting", Measure.WAIT, "locking", Measure.LOCK)
          .forEach((name, measure) -> grow(tree, stacks, name, measure));
      String of = "measuredIn(" + slices + ", [0, 2])";
      JsonArray found = run("meanOf(" + of + ").parts", stacks).getAsJsonArray();
      List<Parts.Amount> expected = Parts.of(sum).mean(sum.requests()).sorted();
      assertThat(found).as(slices.toString()).hasSize(expected.size());
      for (int place = 0; place < expected.size(); place++) {
        JsonObject one = found.get(place).getAsJsonObject();
        Parts.Amount amount = expected.get(place);
        String as = amount + " " + slices;
        assertThat(one.get("part").getAsString()).as(as).isEqualTo(amount.part().key());
        assertThat(one.get("nanos").getAsLong()).as(as).isEqualTo(amount.nanos());
        JsonElement plusMinus = one.get("plusMinus");
        assertThat(plusMinus.isJsonNull()).as(as).isEqualTo(!amount.hasPlusMinus());
        if (amount.hasPlusMinus()) {
          assertThat(plusMinus.getAsDouble()).as(as).isCloseTo(amount.plusMinus(), within(1.0));
        }
      }
      String text = SENTENCE.ofMean(sum, tree);
      Matcher named = Pattern.compile("`[^`]+`").matcher(text);
      while (named.find()) {
        names.add(named.group());
      }
      String mean =
          "(({nanos, parts}) => meanSentence(data, nanos, parts, graph))(meanOf(" + of + "))";
      assertThat(run(mean, stacks).getAsString()).as(slices + " " + stacks).isEqualTo(text);
    }
    assertThat(names).contains("`One.x`", "`Three$Inner.z`", "`Net.poll`").hasSizeGreaterThan(5);
  }

  /** Adds random amounts to both. */
  private static void grow(FlameTree tree, JsonObject stacks, String name, Measure measure) {
    Random random = new Random(tree.size() + name.hashCode());
    long[] amounts = new long[tree.size()];
    for (int node = amounts.length - 1; node > 0; node--) {
      amounts[node] += random.nextInt(3) * (long) Math.pow(10, random.nextInt(4));
      amounts[tree.parent(node)] += amounts[node];
    }
    JsonArray values = new JsonArray();
    for (int node = 0; node < amounts.length; node++) {
      tree.grow(node, measure, 1, amounts[node]);
      values.add(amounts[node]);
    }
    stacks.add(name, values);
  }

  private static void add(JsonObject columns, String name, double value) {
    if (!columns.has(name)) {
      columns.add(name, new JsonArray());
    }
    columns.getAsJsonArray(name).add(value);
  }

  private static Measured measured(Random random) {
    Measured measured = new Measured((1 + random.nextInt(300)) * 1_000_000L);
    for (Part part : Part.values()) {
      long nanos = random.nextInt(60) * 1_000_000L;
      switch (part == Part.NOT_KNOWN ? 3 : random.nextInt(5)) {
        case 0 -> measured.estimate(part, 1 + random.nextInt(9), nanos);
        case 1 -> measured.exact(part, nanos);
        case 2 -> {
          if (part.isWait()) {
            measured.lock(part, 1, nanos);
          }
        }
        default -> {}
      }
    }
    return measured;
  }

  @Test
  void difference_thatMayBeChance_saysHowManySamplesWouldTell() throws IOException {
    String unsure = "judge({requests: 1000, amount: 30}, {requests: 1000, amount: 50}, [1, 1], 1, ";
    double times =
        run(unsure + "0.005)", tree(stacks(0))).getAsJsonObject().get("needed").getAsDouble();
    // 80 samples: 20 ± 2.807 √80 of 2,000 requests.
    assertThat(times).isCloseTo(2.807 * 2.807 * 80 / 400, withinPercentage(0.2));
    assertThat(run(unsure + "0.04)", tree(stacks(0))).getAsJsonObject().has("needed")).isFalse();
  }

  /** Above, all may be chance, or nothing. */
  @Test
  void verdict_insideOfChance_isChance() throws IOException {
    String sure =
        "judge({requests: 1000, amount: 30}, {requests: 1000, amount: 90}, [1, 1], 1, .05)";
    String inside = "judgedInside({chance: %s}, " + sure + ")";
    JsonObject grey = run(inside.formatted("true"), tree(stacks(0))).getAsJsonObject();
    assertThat(grey.get("chance").getAsBoolean()).isTrue();
    assertThat(grey.get("plusMinus").getAsDouble()).isEqualTo(0.06);
    assertThat(run(inside.formatted("false"), tree(stacks(0))))
        .isEqualTo(run(sure, tree(stacks(0))));
  }

  @Test
  void frameThatSumsUpThoseThatAllSamplesShare_variesAsItsEndpoint() throws IOException {
    JsonObject graph =
        tree(Map.of(List.of(0, 1, 2, 3, 4, 0, 1, 2), 3L, List.of(0, 1, 2, 3, 4, 0, 1, 3), 2L));
    String spreads =
        "spreadsOf({spread: {cpu: {whole: [7, 8], methods: []}}}, {name: 'cpu'}, 1, 9)";
    assertThat(run(spreads + ".ofNode(sharedFolded(graph), 1)", graph)).hasToString("[7,8]");
    assertThat(run(spreads + ".ofNode(sharedFolded(graph), 2)", graph)).hasToString("[1,1]");
  }

  @Test
  void sizes_haveUnitsThatPeopleRead() throws IOException {
    assertThat(
            run("[0, 999, 1500, 524288, 71400000, 12e9, 864e9, 1.5e12].map(size)", tree(stacks(0))))
        .hasToString(
            "[\"0 B\",\"999 B\",\"1.50 kB\",\"524 kB\",\"71.4 MB\",\"12.0 GB\",\"864 GB\",\"1.50"
                + " TB\"]");
  }

  /** As in the sentences of the program. */
  @ParameterizedTest
  @CsvFileSource(resources = "/durations.csv", delimiter = '|')
  void times_haveUnitsThatPeopleRead(String nanos, String text) throws IOException {
    assertThat(run("time(" + nanos + ")", tree(stacks(0))).getAsString()).isEqualTo(text);
  }

  private static List<Integer> reversed(List<Integer> stack) {
    List<Integer> reversed = new ArrayList<>(stack);
    java.util.Collections.reverse(reversed);
    return reversed;
  }

  /** Leaves out stacks of which the function returns null. */
  private void compare(String function, Function<List<Integer>, List<Integer>> ofStack)
      throws IOException {
    for (int seed = 0; seed < GRAPHS; seed++) {
      Map<List<Integer>, Long> stacks = stacks(seed);
      Map<String, Long> expected = new TreeMap<>();
      stacks.forEach(
          (stack, value) -> {
            List<Integer> changed = ofStack.apply(stack);
            if (changed != null) {
              String path =
                  String.join(";", changed.stream().map(one -> FRAMES.get(one).name()).toList());
              expected.merge(path, value, Long::sum);
            }
          });
      assertThat(folded(function, tree(stacks))).as("seed %d", seed).isEqualTo(expected);
    }
  }

  private static Map<List<Integer>, Long> stacks(int seed) {
    Random random = new Random(seed);
    Map<List<Integer>, Long> stacks = new java.util.LinkedHashMap<>();
    for (int i = random.nextInt(MOST_STACKS); i >= 0; i--) {
      List<Integer> stack =
          random.ints(1 + random.nextInt(DEEPEST), 1, FRAMES.size()).boxed().toList();
      stacks.merge(stack, 1L + random.nextInt(100), Long::sum);
    }
    return stacks;
  }

  /** As the page's data have it. */
  private static JsonObject tree(Map<List<Integer>, Long> stacks) {
    List<Integer> parents = new ArrayList<>(List.of(-1));
    List<Integer> frames = new ArrayList<>(List.of(0));
    List<Long> values = new ArrayList<>(List.of(0L));
    Map<List<Integer>, Integer> nodes = new java.util.HashMap<>(Map.of(List.of(), 0));
    stacks.forEach(
        (stack, value) -> {
          for (int depth = 0; depth <= stack.size(); depth++) {
            List<Integer> path = stack.subList(0, depth);
            if (!nodes.containsKey(path)) {
              parents.add(nodes.get(stack.subList(0, depth - 1)));
              frames.add(stack.get(depth - 1));
              values.add(0L);
              nodes.put(List.copyOf(path), parents.size() - 1);
            }
            values.set(nodes.get(path), values.get(nodes.get(path)) + value);
          }
        });
    Gson gson = new Gson();
    JsonObject tree = new JsonObject();
    tree.add("parent", gson.toJsonTree(parents));
    tree.add("frame", gson.toJsonTree(frames));
    tree.add("cpu", gson.toJsonTree(values));
    tree.addProperty("leftOut", 0);
    return tree;
  }

  /** The values of paths, without those below them. */
  private static Map<String, Long> folded(String function, JsonObject tree) throws IOException {
    JsonObject paths =
        run(
                """
                ((changed) => {
                  const own = ownOf(changed).cpu;
                  const paths = {};
                  own.forEach((value, leaf) => {
                    const names = [];
                    for (let node = leaf; node > 0; node = changed.parent[node]) {
                      names.unshift(changed.frames[changed.frame[node]][0]);
                    }
                    if (value > 0) {
                      paths[names.join(';')] = (paths[names.join(';')] ?? 0) + value;
                    }
                  });
                  return paths;
                })((\
                """
                    + function
                    + ")(graph))",
                tree)
            .getAsJsonObject();
    Map<String, Long> folded = new TreeMap<>();
    paths.entrySet().forEach(one -> folded.put(one.getKey(), one.getValue().getAsLong()));
    return folded;
  }

  /** Evaluates the expression, which may name the graph, with the page's functions. */
  private static JsonElement run(String expression, JsonObject tree) throws IOException {
    List<List<String>> frames =
        FRAMES.stream().map(one -> List.of(one.name(), one.file(), one.kind())).toList();
    String script =
        script("format")
            + script("address")
            + script("names")
            + script("graph")
            + script("chance")
            + script("narrow")
            + script("panel")
            + script("waiting")
            + script("lens")
            + script("compare")
            + script("measured")
            + script("most")
            + script("slow")
            + "const data = JSON.parse(arguments[2]);"
            + "const graph = graphOf(JSON.parse(arguments[0]), JSON.parse(arguments[1]));"
            + "return JSON.stringify("
            + expression
            + ");";
    Object result =
        browser
            .driver()
            .executeScript(script, tree.toString(), new Gson().toJson(frames), data().toString());
    return JsonParser.parseString(String.valueOf(result));
  }

  /** What the page has beside its graphs, for sentences. */
  private static JsonObject data() {
    JsonObject data = new JsonObject();
    JsonObject parts = new JsonObject();
    for (Part part : Part.values()) {
      parts.addProperty(part.key(), part.text());
    }
    data.add("parts", parts);
    data.add("waitReasons", patterns(WaitReasons.reasons()));
    data.add("waitsAbout", patterns(WaitReasons.about()));
    StringBuilder named = new StringBuilder();
    for (Frame one : FRAMES) {
      var frame = new io.flamespan.page.results.Frame(one.name(), one.file(), one.kind());
      named.append(SENTENCE.isOwn(frame) ? 'o' : SENTENCE.isNamed(frame) ? 'j' : '-');
    }
    data.addProperty("named", named.toString());
    return data;
  }

  private static JsonArray patterns(Map<String, Pattern> patterns) {
    JsonArray all = new JsonArray();
    patterns.forEach(
        (name, pattern) ->
            all.add(
                new Gson()
                    .toJsonTree(List.of(name, pattern.pattern(), WaitReasons.part(name).key()))));
    return all;
  }

  static String script(String name) throws IOException {
    try (InputStream in =
        GraphFunctionsTest.class.getClassLoader().getResourceAsStream("page/" + name + ".js")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}

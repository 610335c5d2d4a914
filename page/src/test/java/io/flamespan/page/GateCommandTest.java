/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import static io.flamespan.page.Example.MS;
import static io.flamespan.page.Example.START;
import static io.flamespan.page.TraceData.spanId;
import static io.flamespan.page.TraceData.traceId;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.TracesData;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The exit status and the texts of a gate, from files. */
class GateCommandTest {
  private static final String EVIL = "GET /</sub>|@all **x** `y`\n<script>";

  /** What the next run has. */
  private static final class Written {
    private final Random random;
    private final List<String> names;
    private int requests = 400;
    private int sorting = 10; // samples of a request of the first endpoint, in its own method
    private long begin = START;
    private long gap = 200 * MS;
    private String runtime = "17.0.1";
    private int period = 1;
    private int lost; // samples without a Link, of ten
    private boolean areLostWritten = true;
    private int background; // samples of no request, per request
    private int failing; // requests of the first endpoint, of a hundred
    private double exact = Double.NaN; // seconds of a sample

    Written(long seed, String... names) {
      this.random = new Random(seed);
      this.names = List.of(names);
    }

    Path to(Path file) throws IOException {
      TraceData traces = new TraceData("shop");
      ProfileData cpu = new ProfileData().service("shop");
      if (period != 1) {
        cpu.period("cpu", "nanoseconds", period * ProfileData.PERIOD_NANOS);
      }
      int number = 1 + random.nextInt(1_000_000_000);
      for (int i = 0; i < requests; i++) {
        for (int endpoint = 0; endpoint < names.size(); endpoint++) {
          number++;
          long start = begin + i * gap + endpoint * MS;
          traces.root(number, names.get(endpoint), start, start + 150 * MS);
          if (endpoint == 0 && i % 100 < failing) {
            traces.failed();
          }
          int more = random.nextInt(3);
          int mean = endpoint == 0 ? sorting : 10;
          String method = endpoint == 0 ? "com.shop.Sort.slow" : "com.shop.List.all";
          List<String> stack = List.of("java.lang.Thread.run", "com.shop.Main.handle", method);
          int all = mean + more;
          int without = all * lost / 10;
          if (!Double.isNaN(exact)) {
            traces.attribute("thread.cpu.time", exact * (10 + more));
          }
          cpu.sample(traceId(number), spanId(number), start, 90 * MS, all - without, stack);
          int others = background + (areLostWritten ? without : 0);
          if (others > 0) {
            cpu.threadSample("worker", start, others, stack);
          }
        }
      }
      TracesData.Builder built = traces.build().toBuilder();
      for (String[] one : new String[][] {{"name", "OpenJDK"}, {"version", runtime}}) {
        built
            .getResourceSpansBuilder(0)
            .getResourceBuilder()
            .addAttributes(
                KeyValue.newBuilder()
                    .setKey("process.runtime." + one[0])
                    .setValue(AnyValue.newBuilder().setStringValue(one[1])));
      }
      return Files.write(file, CollectorFiles.json(built.build(), cpu.build()));
    }
  }

  private record Ended(int status, String text) {}

  @TempDir Path directory;

  private Ended run(Object... arguments) {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
    List<String> texts = new ArrayList<>();
    for (Object argument : arguments) {
      texts.add(argument.toString());
    }
    int status =
        FlameGraphs.run(texts.toArray(String[]::new), InputStream.nullInputStream(), out, out);
    return new Ended(status, printed.toString(StandardCharsets.UTF_8));
  }

  private Path file(String name, Written written) throws IOException {
    return written.to(directory.resolve(name));
  }

  private static Written shop(long seed) {
    return new Written(seed, "GET /sort", "GET /list");
  }

  @Test
  void sameCode_passes() throws IOException {
    Path before = file("before", shop(1));
    Path after = file("after", shop(2));

    Ended gate =
        run("compare", "--fail-above", "5%", "--allow", "runs", "--baseline", before, after);

    assertThat(gate.text()).contains("**Not dearer: no endpoint exceeds its limit.**");
    assertThat(gate.status()).isEqualTo(0);
    assertThat(gate.text())
        .contains("Left out as warm-up: the first 20.0 s of each process, 400 of 1,600 requests.")
        .contains("| GET /sort | shop | <sub>CPU time</sub> |", "<sub>within 5 %</sub>");
  }

  @Test
  void dearerEndpoint_fails_andNamesItsMethod() throws IOException {
    Written slower = shop(2);
    slower.sorting = 12;
    Path before = file("before", shop(1));
    Path after = file("after", slower);

    Ended gate =
        run("compare", "--fail-above", "5%", "--allow", "runs", "--baseline", before, after);

    assertThat(gate.status()).isEqualTo(1);
    assertThat(gate.text())
        .containsPattern(
            "^\\*\\*Dearer: GET /sort by 1[78]\\.\\d % ± \\d\\.\\d of CPU time\\.\\*\\*")
        .containsPattern("In GET /sort, a request has more in com\\.shop\\.Sort\\.slow: \\+\\d")
        .doesNotContain("List.all");
    assertThat(
            run(
                    "compare",
                    "--fail-above",
                    "GET /list=5%",
                    "--allow",
                    "runs",
                    "--baseline",
                    before,
                    after)
                .status())
        .as("the other endpoint alone")
        .isEqualTo(0);
    assertThat(
            run("compare", "--fail-above", "30%", "--allow", "runs", "--baseline", before, after)
                .status())
        .as("a larger limit")
        .isEqualTo(0);
  }

  /** A run of tests, each of which runs once, with exact CPU times and samples as chance has it. */
  private Path tests(String name, double sortSeconds, Random random) throws IOException {
    TraceData traces = new TraceData("tests");
    ProfileData cpu = new ProfileData().service("tests");
    for (int test = 0; test < 10; test++) {
      int number = 1 + random.nextInt(1_000_000_000);
      double seconds = (test == 0 ? sortSeconds : 0.2) * (1 + 0.02 * random.nextGaussian());
      String endpoint = test == 0 ? "sorts" : "lists " + test;
      traces
          .root(number, endpoint, START, START + 1_000 * MS)
          .attribute("thread.cpu.time", seconds);
      int samples = (int) (seconds * 1e9 / ProfileData.PERIOD_NANOS + random.nextDouble());
      List<String> stack = List.of("com.shop.Main." + endpoint);
      cpu.sample(traceId(number), spanId(number), START, 900 * MS, samples, stack);
    }
    return Files.write(directory.resolve(name), CollectorFiles.json(traces.build(), cpu.build()));
  }

  @Test
  void exactCpuTime_ofFewRequests_tells() throws IOException {
    Random random = new Random(1);
    List<Object> arguments =
        new ArrayList<>(
            List.of("compare", "--fail-above", "10%", "--warm-up", "0s", "--kind", "thread"));
    for (String side : List.of("--baseline", "--now")) {
      arguments.add(side);
      for (int run = 0; run < 10; run++) {
        arguments.add(tests(side + run, side.equals("--now") ? 0.24 : 0.2, random));
      }
    }
    Ended gate = run(arguments.toArray());

    assertThat(gate.text())
        .containsPattern(
            "^\\*\\*Dearer: sorts by (1\\d|2\\d)\\.\\d % ± \\d+\\.\\d of CPU time of the thread\\.\\*\\*");
    assertThat(gate.status()).isEqualTo(1);
    arguments.set(arguments.indexOf("thread"), "cpu");
    assertThat(run(arguments.toArray()).status()).as("by their samples").isEqualTo(2);
  }

  @Test
  void fewRequests_areNotEnough_andItSaysHowManyMore() throws IOException {
    Written few = shop(2);
    few.requests = 50;
    few.gap = 1600 * MS;
    Path before = file("before", shop(1));
    Path after = file("after", few);

    Ended gate =
        run("compare", "--fail-above", "0.5%", "--allow", "load,runs", "--baseline", before, after);

    assertThat(gate.status()).isEqualTo(2);
    assertThat(gate.text())
        .containsPattern(
            "Not enough requests: GET /(sort|list) needs [\\d,]+ more requests in the baseline and"
                + " [\\d,]+ now to show 0\\.5 % of CPU time");
  }

  @Test
  void oneRunOnASide_mayDifferAsRunsDo() throws IOException {
    Written slower = shop(2);
    slower.sorting = 12;
    Written muchSlower = shop(3);
    muchSlower.sorting = 22;
    Path before = file("before", shop(1));

    Ended gate = run("compare", "--fail-above", "5%", "--baseline", before, file("slower", slower));
    Ended much =
        run("compare", "--fail-above", "5%", "--baseline", before, file("much", muchSlower));

    assertThat(gate.status()).as(gate.text()).isEqualTo(2);
    assertThat(gate.text())
        .contains(
            "4 more runs on each side", "does not tell how much runs of the same code differ");
    assertThat(much.status()).as(much.text()).isEqualTo(1);
  }

  @Test
  void severalRuns_areTheUnit() throws IOException {
    List<Object> arguments = new ArrayList<>(List.of("compare", "--fail-above", "20%"));
    for (String side : List.of("--baseline", "--now")) {
      arguments.add(side);
      for (int run = 0; run < 4; run++) {
        arguments.add(file(side + run, shop(side.hashCode() + run)));
      }
    }

    Ended gate = run(arguments.toArray());

    assertThat(gate.text())
        .contains("Compared: 4 runs with 4.")
        .doesNotContain("All runs of one side came first");
    assertThat(gate.status()).isEqualTo(0);
  }

  @ParameterizedTest
  @CsvSource({"0 1, 2 3, true", "2 3, 0 1, true", "0 2, 1 3, false", "0 3, 1 2, false"})
  void runsOfOneSideBeforeTheOthers_areSaid(String baseline, String now, boolean isSaid)
      throws IOException {
    List<Object> arguments = new ArrayList<>(List.of("compare", "--fail-above", "20%"));
    for (String side : List.of("--baseline " + baseline, "--now " + now)) {
      String[] words = side.split(" ");
      arguments.add(words[0]);
      for (int run = 1; run < words.length; run++) {
        Written written = shop(run);
        written.begin = START + Long.parseLong(words[run]) * 200_000 * MS;
        arguments.add(file(words[0] + run, written));
      }
    }

    String printed = run(arguments.toArray()).text();

    assertThat(printed.contains("All runs of one side came first")).as(printed).isEqualTo(isSaid);
  }

  @Test
  void tracesAndProfilesInFilesOfTheirOwn_areOneRun() throws IOException {
    Path before = file("before", shop(1));
    List<String> lines = Files.readAllLines(file("after", shop(2)));
    Path traces = Files.writeString(directory.resolve("traces"), lines.get(0));
    Path profiles = Files.writeString(directory.resolve("profiles"), lines.get(1));

    Ended gate =
        run(
            "compare",
            "--fail-above",
            "5%",
            "--allow",
            "runs",
            "--baseline",
            before,
            "--now",
            traces,
            profiles);

    assertThat(gate.text()).contains("With one run on a side", "note: names taken as one run: 2, ");
    assertThat(gate.status()).isEqualTo(0);
  }

  @Test
  void sidesThatDiffer_cannotBeCompared_unlessAllowed() throws IOException {
    Path before = file("before", shop(1));
    Written load = shop(2);
    load.gap = 100 * MS;
    load.requests = 800;
    assertDiffers(before, file("load", load), "load");
    Written jvm = shop(3);
    jvm.runtime = "21.0.2";
    assertDiffers(before, file("jvm", jvm), "jvm");
    Written period = shop(4);
    period.period = 2;
    assertDiffers(before, file("period", period), "period");
    Written length = shop(5);
    length.requests = 200;
    assertDiffers(before, file("length", length), "length");
    assertDiffers(before, file("endpoints", new Written(6, "GET /sort", "GET /new")), "endpoints");
  }

  @Test
  void samplesThatReachNoRequest_onOneSide_cannotBeCompared() throws IOException {
    Path before = file("before", shop(1));
    Written lost = shop(2);
    lost.sorting = 16;
    lost.lost = 5;
    assertDiffers(before, file("lost", lost), "samples");
    assertDiffers(file("lost again", lost), before, "samples");
    Written busy = shop(3);
    busy.background = 10;
    Written busyAndLost = shop(4);
    busyAndLost.background = 10;
    busyAndLost.lost = 5;
    assertDiffers(file("busy", busy), file("busy and lost", busyAndLost), "samples");
  }

  @Test
  void samplesLostBeforeTheyWereWritten_differFromTheExactTimes() throws IOException {
    Written whole = shop(1);
    whole.exact = 0.01;
    Written half = shop(2);
    half.exact = 0.01;
    half.lost = 5;
    half.areLostWritten = false;
    assertDiffers(file("whole", whole), file("half", half), "samples");
  }

  /** Its thread's exact time lacks it. */
  @Test
  void dearerOnOtherThreads_isNotTakenForLostSamples() throws IOException {
    Written before = shop(1);
    before.exact = 0.01;
    Written after = shop(2);
    after.exact = 0.01;
    after.sorting = 30;

    Ended gate =
        run("compare", "--fail-above", "5%", "--baseline", file("a", before), file("b", after));

    assertThat(gate.text()).doesNotContain("Cannot be compared");
  }

  /** Neither dearer requests nor a load that differs a little are samples that were lost. */
  @ParameterizedTest
  @CsvSource({"20, 200", "10, 260"})
  void samplesOfNoRequest_onBothSides_areCompared(int sorting, long gap) throws IOException {
    Written before = shop(1);
    before.background = 8;
    Written after = shop(2);
    after.background = 8;
    after.sorting = sorting;
    after.gap = gap * MS;
    after.requests = (int) (80_000 / gap);

    Ended gate =
        run("compare", "--fail-above", "5%", "--baseline", file("a", before), file("b", after));

    assertThat(gate.text()).doesNotContain("Cannot be compared");
  }

  @Test
  void failingRequests_ofOneSide_cannotBeCompared() throws IOException {
    Written failing = shop(2);
    failing.failing = 100;
    failing.sorting = 1;
    Path before = file("before", shop(1));
    Path after = file("after", failing);
    assertDiffers(before, after, "errors");
    assertThat(run("compare", "--fail-above", "5%", "--baseline", before, after).text())
        .contains("GET /sort fails in 0 of 300 requests, then 300 of 300 (--allow errors compares");
  }

  @Test
  void failingRequests_fewOrOnBothSides_areCompared() throws IOException {
    Written few = shop(1);
    few.failing = 4;
    Written many = shop(2);
    many.failing = 50;
    Written asMany = shop(3);
    asMany.failing = 58;
    Path none = file("none", shop(4));

    for (List<Path> sides :
        List.of(
            List.of(none, file("few", few)),
            List.of(file("many", many), file("as many", asMany)))) {
      assertThat(
              run("compare", "--fail-above", "5%", "--baseline", sides.get(0), sides.get(1)).text())
          .doesNotContain("Cannot be compared");
    }
  }

  private void assertDiffers(Path before, Path after, String what) {
    Ended gate = run("compare", "--fail-above", "5%", "--baseline", before, after);

    assertThat(gate.text())
        .contains("**Cannot be compared:**", "- different " + what + ":")
        .containsPattern("compares them\\)\n\nLeft out");
    assertThat(gate.status()).isEqualTo(3);
    assertThat(
            run("compare", "--fail-above", "5%", "--allow", what, "--baseline", before, after)
                .text())
        .doesNotContain("Cannot be compared");
  }

  @Test
  void whatIsNotThere_cannotBeCompared() throws IOException {
    Path before = file("before", shop(1));
    Path after = file("after", shop(2));
    Path empty = Files.createFile(directory.resolve("empty"));
    Written hardly = shop(7);
    hardly.requests = 1;

    assertThat(run("compare", "--fail-above", "GET /gone=5%", "--baseline", before, after))
        .satisfies(gate -> assertThat(gate.status()).isEqualTo(3))
        .satisfies(gate -> assertThat(gate.text()).contains("is named GET /gone"));
    assertThat(run("compare", "--fail-above", "5%", "--kind", "alloc", "--baseline", before, after))
        .satisfies(gate -> assertThat(gate.status()).isEqualTo(3))
        .satisfies(gate -> assertThat(gate.text()).contains("no samples of allocation"));
    assertThat(run("compare", "--fail-above", "5%", "--baseline", empty, after).status())
        .isEqualTo(3);
    assertThat(run("compare", "--fail-above", "5%", "--baseline", before, empty).status())
        .isEqualTo(3);
    assertThat(
            run("compare", "--fail-above", "5%", "--baseline", before, file("hardly", hardly))
                .status())
        .isEqualTo(3);
    assertThat(run("compare", "--fail-above", "5%", "--baseline", before, "missing").status())
        .isEqualTo(3);
    assertThat(run("compare", "--fail-above", "5%", "--baseline", before, before).status())
        .isEqualTo(3);
  }

  private Ended againstTwo(Path baseline, Path secondOfBaseline) throws IOException {
    return run(
        "compare",
        "--fail-above",
        "5%",
        "--baseline",
        baseline,
        secondOfBaseline,
        "--now",
        file("b1", shop(2)),
        file("b2", shop(3)));
  }

  /** Or its application ended without requests, or without samples. */
  @Test
  void emptyRunOfSeveral_cannotBeCompared_andIsNamed() throws IOException {
    Path empty = Files.createDirectory(directory.resolve("empty"));
    List<String> lines = Files.readAllLines(file("whole", shop(4)));
    Path traces = Files.writeString(directory.resolve("traces"), lines.get(0));
    for (Path run : List.of(empty, traces)) {
      Ended gate = againstTwo(file("a1", shop(1)), run);

      assertThat(gate.status()).as(gate.text()).isEqualTo(3);
      assertThat(gate.text()).contains("the baseline has no samples of CPU time in " + run);
    }
  }

  @Test
  void exactCpuTime_thatMostRequestsLack_cannotBeCompared() throws IOException {
    Ended gate = exact(i -> i >= 70 ? 0.2 : Double.NaN, i -> 0.2);

    assertThat(gate.status()).as(gate.text()).isEqualTo(3);
    assertThat(gate.text())
        .contains("the baseline lacks thread.cpu.time in 350 of 500 requests of sorts");
  }

  /** As of those that end on another thread. Runs need no samples. */
  @Test
  void exactCpuTime_thatSomeRequestsLack_isTheMeanOfTheOthers() throws IOException {
    IntToDoubleFunction some = i -> i % 3 == 0 ? Double.NaN : 0.2 + i * 1e-4;

    assertThat(exact(some, i -> 0.2 + i * 1e-4)).extracting(Ended::status).isEqualTo(0);
    assertThat(exact(i -> 0.2 + i * 1e-4, some)).extracting(Ended::status).isEqualTo(0);
    assertThat(exact(some, i -> 0.4 + i * 1e-4)).extracting(Ended::status).isEqualTo(1);
  }

  /** Its requests have no figure, and would keep all others from being judged. */
  @Test
  void exactCpuTime_thatASmallEndpointLacks_isNotNeeded_unlessItIsNamed() throws IOException {
    List<String> names = new ArrayList<>(List.of("baseline", "now"));
    for (String name : List.copyOf(names)) {
      TraceData traces = new TraceData("shop");
      for (int i = 0; i < 1_000; i++) {
        int number = names.indexOf(name) * 2_000 + i + 1;
        boolean sorts = i % 300 != 0;
        traces.root(number, sorts ? "GET /sort" : "GET /ws", START + i * MS, START + 2_000 * MS);
        if (sorts) {
          traces.attribute("thread.cpu.time", (name.equals("now") ? 0.3 : 0.2) + i * 1e-6);
        }
      }
      Files.write(directory.resolve(name), CollectorFiles.json(traces.build()));
    }
    List<String> arguments =
        List.of("--kind", "thread", "--warm-up", "0s", "--allow", "runs", "--baseline");
    List<Object> all = new ArrayList<>(List.of("compare", "--fail-above", "5%"));
    all.addAll(arguments);
    all.addAll(names.stream().map(directory::resolve).toList());

    Ended gate = run(all.toArray());
    all.addAll(1, List.of("--fail-above", "GET /ws=5%"));
    Ended named = run(all.toArray());

    assertThat(gate.status()).as(gate.text()).isEqualTo(1);
    assertThat(gate.text()).doesNotContain("NaN").contains("Dearer: GET /sort by");
    assertThat(named.status()).as(named.text()).isEqualTo(3);
    assertThat(named.text())
        .contains("lacks thread.cpu.time in 4 of 4 requests of GET /ws")
        .doesNotContain("NaN");
  }

  @Test
  void problems_ofManyLongNames_fitIntoAnAnswer() throws IOException {
    String[] before = new String[200];
    String[] after = new String[200];
    for (int i = 0; i < before.length; i++) {
      before[i] = "GET /" + i + "/@".repeat(300);
      after[i] = "GET /now/" + i + "/@".repeat(300);
    }
    Written few = new Written(1, before);
    few.requests = 2;
    Written now = new Written(2, after);
    now.requests = 2;
    Path a = file("a", few);
    Path b = file("b", now);

    Ended gate = run("compare", "--fail-above", "5%", "--warm-up", "0s", "--baseline", a, b);
    Ended exact =
        run(
            "compare",
            "--fail-above",
            "5%",
            "--warm-up",
            "0s",
            "--kind",
            "thread",
            "--baseline",
            a,
            b);

    assertThat(gate.status()).as(gate.text()).isEqualTo(3);
    assertThat(gate.text()).contains(", and 197 more (--allow endpoints compares them)");
    assertThat(exact.text()).containsPattern("\\n- and 3\\d\\d more\\n");
    for (Ended one : List.of(gate, exact)) {
      String verdict = one.text().substring(one.text().indexOf("**Cannot"));
      assertThat(verdict.getBytes(StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(4_000);
    }
  }

  @Test
  void limit_ofAnEndpoint_isNamedAsTheTableShowsIt() throws IOException {
    String evil = "GET /a|b/_c_/*d*";
    String longer = "GET /long/" + "x".repeat(300);
    Path before = file("before", new Written(1, evil, longer));
    Path after = file("after", new Written(2, evil, longer));
    for (String name :
        List.of(
            evil,
            " " + evil + " ",
            "GET /a\\|b/\\_c\\_/\\*d\\*",
            longer,
            longer.substring(0, 200) + "…")) {
      for (String limit : List.of("=60%", "= 60 % ")) {
        Ended gate =
            run(
                "compare",
                "--fail-above",
                name + limit,
                "--allow",
                "runs",
                "--baseline",
                before,
                after);
        assertThat(gate.status()).as(gate.text()).isEqualTo(0);
      }
    }
    assertThat(run("compare", "--fail-above", "/gone\\|=5%", "--baseline", before, after).text())
        .contains("is named /gone\\|\n");
  }

  @Test
  void endpointOfTwoServices_hasTheMethodsOfEach() throws IOException {
    List<Object> arguments = new ArrayList<>(List.of("compare", "--fail-above", "5%"));
    arguments.addAll(List.of("--allow", "runs", "--warm-up", "0s"));
    for (int side = 0; side < 2; side++) {
      arguments.add(side == 0 ? "--baseline" : "--now");
      List<byte[]> parts = new ArrayList<>();
      for (String service : List.of("orders", "billing")) {
        TraceData traces = new TraceData(service);
        ProfileData cpu = new ProfileData().service(service);
        for (int i = 0; i < 100; i++) {
          int number = 1 + parts.size() * 1_000 + side * 10_000 + i;
          long start = START + i * 200 * MS;
          traces.root(number, "GET /health", start, start + 100 * MS);
          List<String> stack = List.of("com.shop." + service + ".check");
          int count = (side == 0 ? 10 : 40) + i % 3;
          cpu.sample(traceId(number), spanId(number), start, 90 * MS, count, stack);
        }
        parts.add(CollectorFiles.json(traces.build(), cpu.build()));
      }
      Path run = Files.createDirectory(directory.resolve("side" + side));
      Files.write(run.resolve("orders"), parts.get(0));
      Files.write(run.resolve("billing"), parts.get(1));
      arguments.add(run);
    }

    Ended gate = run(arguments.toArray());

    assertThat(gate.status()).as(gate.text()).isEqualTo(1);
    assertThat(gate.text())
        .containsPattern("a request has more in com\\.shop\\.orders\\.check: [^,]*\\.\n")
        .containsPattern("a request has more in com\\.shop\\.billing\\.check: [^,]*\\.\n");
  }

  /** A run without any may have had no contention. */
  @Test
  void locks_ofASideWithoutSamples_areComparedIfAllowed() throws IOException {
    List<Path> runs = new ArrayList<>();
    for (int run = 0; run < 4; run++) {
      TraceData traces = new TraceData("shop");
      ProfileData cpu = new ProfileData().service("shop");
      ProfileData locks = new ProfileData().service("shop").type("lock", "nanoseconds");
      for (int i = 0; i < 100; i++) {
        int number = 1 + run * 1_000 + i;
        traces.root(number, "GET /sort", START + i * 200 * MS, START + i * 200 * MS + 100 * MS);
        List<String> stack = List.of("com.shop.Sort.lock");
        cpu.sample(traceId(number), spanId(number), START + i * 200 * MS, 1, stack);
        if (run < 2 - (i == 0 ? 0 : 1)) {
          locks.value(traceId(number), spanId(number), 5 * MS, stack);
        }
      }
      runs.add(
          Files.write(
              directory.resolve("locks" + run),
              CollectorFiles.json(traces.build(), cpu.build(), locks.build())));
    }
    List<Object> arguments = new ArrayList<>(List.of("compare", "--fail-above", "5%"));
    arguments.addAll(List.of("--kind", "lock", "--warm-up", "0s", "--baseline"));
    arguments.addAll(List.of(runs.get(0), runs.get(1), "--now", runs.get(2), runs.get(3)));

    Ended gate = run(arguments.toArray());
    arguments.addAll(1, List.of("--allow", "samples"));

    assertThat(gate.text())
        .contains("the other side has no samples of waits for locks (--allow samples compares")
        .doesNotContain("the baseline has no");
    assertThat(run(arguments.toArray()))
        .satisfies(allowed -> assertThat(allowed.status()).as(allowed.text()).isIn(0, 2));
  }

  /** Compares five runs each of a hundred requests with these seconds, NaN without them. */
  private Ended exact(IntToDoubleFunction before, IntToDoubleFunction now) throws IOException {
    List<Object> arguments =
        new ArrayList<>(
            List.of("compare", "--fail-above", "5%", "--warm-up", "0s", "--kind", "thread"));
    for (IntToDoubleFunction side : List.of(before, now)) {
      arguments.add(side == before ? "--baseline" : "--now");
      for (int run = 0; run < 5; run++) {
        TraceData traces = new TraceData("tests");
        for (int i = 0; i < 100; i++) {
          traces.root(1_000 * run + i + 1, "sorts", START + i * MS, START + 1_000 * MS);
          double seconds = side.applyAsDouble(i);
          if (!Double.isNaN(seconds)) {
            traces.attribute("thread.cpu.time", seconds * (1 + run * 1e-3));
          }
        }
        arguments.add(
            Files.write(
                directory.resolve("exact" + arguments.size()),
                CollectorFiles.json(traces.build())));
      }
    }
    return run(arguments.toArray());
  }

  @Test
  void fileOfTwoRuns_isRefused() throws IOException {
    Path of = Files.createDirectory(directory.resolve("run"));
    Path before = file("run/before", shop(1));
    Path link = Files.createSymbolicLink(directory.resolve("link"), before);
    for (Path again : List.of(before, of, link)) {
      Ended gate = againstTwo(before, again);

      assertThat(gate.status()).as(gate.text()).isEqualTo(3);
      assertThat(gate.text()).contains("is named twice");
    }
  }

  @Test
  void copyOfARun_isRefused() throws IOException {
    Path before = file("before", shop(1));
    Path copy = Files.copy(before, directory.resolve("copy"));

    Ended gate = againstTwo(before, copy);

    assertThat(gate.status()).as(gate.text()).isEqualTo(3);
    assertThat(gate.text()).contains(copy + " has the same first request and samples as " + before);
  }

  @Test
  void wrongOptions_areNoVerdict() throws IOException {
    Path before = file("before", shop(1));
    Path after = file("after", shop(2));
    for (String limit : List.of("5", "0%", "-5%", "5%%", "", "NaN%")) {
      assertThat(run("compare", "--fail-above", limit, "--baseline", before, after).status())
          .as("limit %s", limit)
          .isEqualTo(3);
    }
    assertThat(run("compare", "--fail-above", "5%", after).text()).contains("--baseline");
    assertThat(run("compare", "--fail-above=5%", "--baseline", before, after).status())
        .isEqualTo(3);
    for (String[] option :
        new String[][] {
          {"--kind", "gpu"}, {"--allow", "all"}, {"--warm-up", "100%"}, {"--sort", "self"}
        }) {
      assertThat(
              run(
                  "compare",
                  "--fail-above",
                  "5%",
                  option[0],
                  option[1],
                  "--baseline",
                  before,
                  after))
          .satisfies(gate -> assertThat(gate.status()).isEqualTo(3))
          .satisfies(gate -> assertThat(gate.text()).contains(option[0].substring(2)));
    }
    assertThat(run("--warm-up", "5s", "--baseline", before, after).status()).isEqualTo(2);
    assertThat(run("endpoints", "--fail-above", "5%", "--baseline", before, after).status())
        .isEqualTo(3);
  }

  @Test
  void page_hasTheVerdictFirstInItsSummaries() throws IOException {
    Written slower = new Written(2, EVIL, "GET /list");
    slower.sorting = 12;
    Path before = file("before", new Written(1, EVIL, "GET /list"));
    Path after = file("after", slower);
    Path out = directory.resolve("out");

    Ended gate =
        run(
            "--out",
            out,
            "--fail-above",
            "5%",
            "--kind",
            "cpu,duration",
            "--warm-up",
            "10%",
            "--allow",
            "runs",
            "--baseline",
            before,
            after);

    assertThat(gate.text()).contains("verdict: dearer");
    assertThat(gate.status()).isEqualTo(1);
    List<String> lines = Files.readAllLines(out.resolve("summary.md"));
    assertThat(lines.get(0))
        .startsWith("**Dearer: GET /\\</sub\\>\\|&#64;all \\*\\*x\\*\\* \\`y\\` \\<script\\> by 1");
    assertThat(lines)
        .contains("<details><summary>All figures</summary>", "</details>")
        .noneMatch(line -> line.matches(".*(?<!\\\\)<script.*"));
    JsonObject json =
        JsonParser.parseString(Files.readString(out.resolve("summary.json")))
            .getAsJsonObject()
            .getAsJsonObject("gate");
    assertThat(json.get("exitStatus").getAsInt()).isEqualTo(1);
    assertThat(json.get("verdict").getAsString()).isEqualTo("dearer");
    JsonObject row = json.getAsJsonArray("rows").get(0).getAsJsonObject();
    assertThat(row.get("endpoint").getAsString()).isEqualTo(EVIL);
    assertThat(row.get("kind").getAsString()).isEqualTo("cpu");
    assertThat(row.get("change").getAsDouble()).isBetween(0.15, 0.21);
    assertThat(json.getAsJsonArray("methods").get(0).getAsJsonObject().get("method").getAsString())
        .isEqualTo("com.shop.Sort.slow");
    assertThat(json.getAsJsonArray("rows")).hasSize(4);
  }

  @Test
  void json_hasTheRunsThatEachSideLacks_andTheMostOfThem() throws IOException {
    Path out = directory.resolve("out");

    Ended gate =
        run(
            "--out",
            out,
            "--fail-above",
            "1%",
            "--baseline",
            file("before", shop(1)),
            "--now",
            file("first", shop(2)),
            file("second", shop(3)));

    assertThat(gate.status()).as(gate.text()).isEqualTo(2);
    JsonObject row =
        JsonParser.parseString(Files.readString(out.resolve("summary.json")))
            .getAsJsonObject()
            .getAsJsonObject("gate")
            .getAsJsonArray("rows")
            .get(0)
            .getAsJsonObject();
    assertThat(row.get("moreRuns").getAsInt()).isEqualTo(4);
    assertThat(row.get("moreBaselineRuns").getAsInt()).isEqualTo(4);
    assertThat(row.get("moreNowRuns").getAsInt()).isEqualTo(3);
  }

  @Test
  void agent_getsTheVerdict() throws IOException {
    Path before = file("before", shop(1));
    Path after = file("after", shop(2));
    String call =
        "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'name':'compare',"
            + "'arguments':{%s}}}\n";
    String calls =
        call.formatted("'fail-above':'GET /sort=60%'")
            + call.formatted("'fail-above':'x'")
            + call.formatted("'fail-above':'5%','allow':'runs','warm-up':'10%','kind':'duration'")
            + call.formatted("'fail-above':'5%','allow':'all'")
            + call.formatted("'allow':'runs'")
            + call.formatted("'fail-above':'5%','endpoint':'GET /sort'")
            + call.formatted("'fail-above':'5%','allow':'','endpoint':'','sort':'','package':''")
            + call.formatted("'fail-above':'','allow':'','warm-up':'','endpoint':'GET /sort'");
    ByteArrayOutputStream out = new ByteArrayOutputStream();

    FlameGraphs.run(
        new String[] {"mcp", "--baseline", before.toString(), after.toString()},
        new ByteArrayInputStream(calls.replace('\'', '"').getBytes(StandardCharsets.UTF_8)),
        new PrintStream(out, true, StandardCharsets.UTF_8),
        new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8));

    List<String> answers = out.toString(StandardCharsets.UTF_8).lines().toList();
    assertThat(answers.get(0)).contains("needs at least 4 more runs", "\"isError\":false");
    assertThat(answers.get(1)).contains("takes a limit such as 5%", "\"isError\":true");
    assertThat(answers.get(2))
        .contains("With one run on a side", "the first 8.0 s", "duration", "\"isError\":false");
    assertThat(answers.get(3))
        .contains("--allow takes endpoints, load, period", "\"isError\":true");
    assertThat(answers.get(4)).contains("allow needs fail-above", "\"isError\":true");
    assertThat(answers.get(5)).contains("endpoint does not go with fail-above");
    assertThat(answers.get(6)).contains("needs at least 4 more runs", "\"isError\":false");
    assertThat(answers.get(7)).contains("com.shop.Sort.slow", "\"isError\":false");
  }

  @Test
  void help_hasTheExitStatuses() {
    assertThat(run("--help").text())
        .contains("--fail-above", "0 no endpoint is dearer", "3 the sides cannot be compared");
  }
}

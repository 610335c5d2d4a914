/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import static io.flamespan.page.Example.MS;
import static io.flamespan.page.Example.START;
import static io.flamespan.page.TraceData.spanId;
import static io.flamespan.page.TraceData.traceId;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.protobuf.Message;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What slow requests have more of, and which requests have a method, as answers. */
class SlowRequestsTest {
  private static final int LIMIT = 4_000;
  private static final int REQUESTS = 1_000;
  private static final long CAUSE = 600; // milliseconds
  private static final int[] MILLIS = {30, 20, 10, 10, 5, 5}; // of the methods of a request

  @TempDir Path directory;

  /** What one request in a hundred does besides. */
  enum Cause {
    NONE("", false),
    OWN_METHOD("com.example.Cache.load", false),
    METHOD_OF_ALL("com.example.Shop.m3", false),
    WAIT("com.example.Pool.borrow", true);

    final String method;
    final boolean waits;

    Cause(String method, boolean waits) {
      this.method = method;
      this.waits = waits;
    }
  }

  /** Requests of different sizes, which all do the same, and wait for different times. */
  private static byte[] requests(Cause cause, long seed) {
    return CollectorFiles.protobuf(messages(cause, seed));
  }

  static Message[] messages(Cause cause, long seed) {
    Random random = new Random(seed);
    TraceData traces = new TraceData("shop");
    ProfileData cpu = new ProfileData().time(START).service("shop");
    ProfileData waits = profile("off_cpu");
    for (int number = 1; number <= REQUESTS; number++) {
      boolean isSlow = number % 100 == 0 && cause != Cause.NONE;
      double size = Math.exp(0.5 * random.nextGaussian());
      double wait = 40 * Math.exp(0.5 * random.nextGaussian());
      double millis = 80 * size + wait + (isSlow ? CAUSE : 0);
      long start = START + number * 100 * MS;
      traces
          .root(number, "GET /checkout", start, start + (long) (millis * MS))
          .attribute("tenant", number % 3 == 0 ? "blue" : "red")
          .attribute("request.id", "r" + number)
          .attribute("http.response.status_code", isSlow ? 503.0 : 200.0);
      for (int method = 0; method < MILLIS.length; method++) {
        String name = "com.example.Shop.m" + method;
        boolean more = isSlow && name.equals(cause.method);
        sample(cpu, number, start, millis, poisson(random, MILLIS[method] * size / 10), name);
        sample(cpu, number, start, millis, more ? poisson(random, CAUSE / 10.0) : 0, name);
      }
      wait(waits, number, start, Math.round(wait * MS), "com.example.Db.query");
      if (isSlow && cause.waits) {
        wait(waits, number, start + 20 * MS, CAUSE * MS, cause.method);
      } else if (isSlow && cause == Cause.OWN_METHOD) {
        sample(cpu, number, start, millis, poisson(random, CAUSE / 10.0), cause.method);
      }
    }
    return new Message[] {traces.build(), cpu.build(), waits.build()};
  }

  private static void sample(
      ProfileData profile, int number, long start, double millis, int count, String method) {
    if (count > 0) {
      profile.sample(
          traceId(number),
          spanId(number),
          start,
          (long) (millis * MS),
          count,
          List.of("com.example.Main.main", "com.example.Shop.serve", method, "java.util.List.of"));
    }
  }

  private static void wait(ProfileData profile, int number, long start, long nanos, String method) {
    profile.timed(
        traceId(number),
        spanId(number),
        "",
        start,
        nanos,
        List.of("com.example.Main.main", "com.example.Shop.serve", method));
  }

  private static int poisson(Random random, double mean) {
    int count = 0;
    for (double time = -Math.log(random.nextDouble()); time < mean; ) {
      count++;
      time -= Math.log(random.nextDouble());
    }
    return count;
  }

  @Test
  void cause_inOneOfAHundredRequests_isTheFirstRowOf20Of20() throws IOException {
    for (int seed = 0; seed < 20; seed++) {
      Cause cause = Cause.values()[1 + seed % 3];
      String answer = slow(requests(cause, seed), "cause" + seed);

      List<String> first = rows(answer, "| own method |").get(0);
      assertThat(first).as(answer).startsWith(cause.method, cause.waits ? "waiting ms" : "CPU ms");
      assertThat(first.get(6)).as(answer).isEmpty();
      assertThat(Double.parseDouble(first.get(4))).as(answer).isBetween(CAUSE * 0.8, CAUSE * 1.3);
      assertThat(Double.parseDouble(first.get(5))).as(answer).isBetween(5., CAUSE / 2.);
    }
  }

  @Test
  void requestsThatAllDoTheSame_haveNoCauseIn20Of20() throws IOException {
    for (int seed = 0; seed < 20; seed++) {
      String answer = slow(requests(Cause.NONE, seed), "none" + seed);

      assertThat(answer).contains("no single method is certain");
      assertThat(rows(answer, "| own method |"))
          .filteredOn(cells -> !cells.get(0).equals("(all)"))
          .allMatch(cells -> cells.get(6).equals("noise"));
    }
  }

  /** Requests of which the slowest wait as long in each of these methods, as the others do. */
  static byte[] waiting(int methods) {
    Random random = new Random(1);
    TraceData traces = new TraceData("shop");
    ProfileData cpu = new ProfileData().time(START).service("shop");
    ProfileData waits = profile("off_cpu");
    for (int number = 1; number <= REQUESTS; number++) {
      double size = Math.exp(0.5 * random.nextGaussian());
      double wait = 40 * Math.exp(0.5 * random.nextGaussian()) + (number % 100 == 0 ? CAUSE : 0);
      long start = START + number * 100 * MS;
      traces.root(number, "GET /checkout", start, start + (long) ((80 * size + wait) * MS));
      sample(cpu, number, start, 80 * size, poisson(random, 8 * size), "com.example.Shop.m0");
      for (int method = 0; method < methods; method++) {
        String name = "com.example.Orders.find" + method;
        wait(waits, number, start, Math.round(wait * MS / methods), name);
      }
    }
    return CollectorFiles.protobuf(traces.build(), cpu.build(), waits.build());
  }

  private static ProfileData profile(String type) {
    return new ProfileData()
        .time(START)
        .service("shop")
        .type(type, "nanoseconds")
        .period(type, "nanoseconds", 10 * MS);
  }

  /** It has the same share of the waits in all requests, so its kind is what differs. */
  @Test
  void onlyMethodThatWaits_hasMostOfTheKind_inTheSentenceAndOnThePage() throws IOException {
    byte[] file = waiting(1);

    assertThat(slow(file, "input"))
        .containsPattern(
            "; \\+\\d+ ms (± [\\d.]+ ms|on average) waiting as a whole, most of it in"
                + " `Orders\\.find0`; no single method is certain")
        .doesNotContainPattern("most differs [^;,]* waiting")
        .contains("method --method 'com.example.Orders.find0' --kind wall", "| most of (all) |");
    JsonObject data = JoinRun.of(directory.resolve("run"), file).data();
    List<String> frames =
        data.getAsJsonArray("frames").asList().stream()
            .map(one -> one.getAsJsonArray().get(0).getAsString())
            .toList();
    JsonObject slow =
        data.getAsJsonArray("endpoints").get(0).getAsJsonObject().getAsJsonObject("slow");
    assertThat(slow.getAsJsonArray("certain").get(2).getAsJsonObject().getAsJsonArray("waiting"))
        .anySatisfy(
            one -> {
              assertThat(frames.get(one.getAsJsonArray().get(0).getAsInt()))
                  .isEqualTo("com.example.Orders.find0");
              assertThat(one.getAsJsonArray().get(2).getAsLong()).isPositive();
            });
  }

  @Test
  void kindOfWhichNoMethodHasMost_isNamedWithoutOne() throws IOException {
    assertThat(slow(waiting(4), "input"))
        .contains(" waiting as a whole; no single method is certain")
        .doesNotContain("--kind wall");
  }

  /** Few requests tell that there is more, but not how much. */
  @Test
  void certainDifference_ofUncertainSize_isSaidToBeAnAverage() throws IOException {
    Random random = new Random(1);
    TraceData traces = new TraceData("shop");
    ProfileData cpu = new ProfileData().time(START).service("shop");
    for (int number = 1; number <= REQUESTS; number++) {
      double size = Math.exp(0.5 * random.nextGaussian());
      double millis = 80 * size + (number % 100 == 0 ? CAUSE : 0);
      traces.root(number, "GET /checkout", START, START + (long) (millis * MS));
      sample(cpu, number, START, millis, poisson(random, 8 * size), "com.example.Shop.m0");
      if (number % 100 == 0) {
        String method = number % 200 == 0 ? "com.example.A.a" : "com.example.B.b";
        sample(cpu, number, START, millis, 60, method);
      }
    }

    assertThat(slow(CollectorFiles.protobuf(traces.build(), cpu.build()), "two"))
        .contains("; +300 ms on average on CPU in `A.a`; +300 ms on average on CPU in `B.b`.");
  }

  @Test
  void slow_ofAnEndpoint_saysWhatItIsInASentence() throws IOException {
    byte[] file = requests(Cause.OWN_METHOD, 1);
    String answer = slow(file, "input");

    assertThat(answer)
        .contains("| above p99 | 10 |", "| up to p50 | 500 |")
        .containsPattern(
            "Per request, the 10 above p99 against the 500 up to p50: \\+\\d+ ms, samples explain"
                + " \\+\\d+ ms; \\+\\d+ ms ± [\\d.]+ ms on CPU in `Cache\\.load`\\.")
        .contains(
            "`method --method 'com.example.Cache.load' --kind cpu --endpoint 'GET /checkout'`",
            "http.response.status_code, tenant",
            "`slow --by 'http.response.status_code' --endpoint 'GET /checkout'`")
        .doesNotContain("request.id");
    assertThat(rows(answer, "| own method |").get(0).get(2)).isEqualTo("0.000");
    assertThat(answer.getBytes(UTF_8)).hasSizeLessThanOrEqualTo(LIMIT);
    String list = ask(0, "slow", input("input", file));
    assertThat(rows(list, "| endpoint |").get(0))
        .startsWith("GET /checkout", "shop", "1000")
        .element(3)
        .asString()
        .contains("on CPU in `Cache.load`");
  }

  @Test
  void slow_byAnAttribute_comparesTheSlowestValueWithAllOthers() throws IOException {
    String input = input("input", requests(Cause.OWN_METHOD, 2));

    String byStatus = slowBy("http.response.status_code", "", input);
    assertThat(rows(byStatus, "| group |")).extracting(row -> row.get(0)).contains("503", "200");
    assertThat(byStatus).contains("the 10 with 503 against the 990 others");
    assertThat(rows(byStatus, "| own method |").get(0)).startsWith("com.example.Cache.load");
    assertThat(slowBy("tenant", "blue", input))
        .contains("the 333 with blue against the 667 others");
    assertThat(ask(2, "slow", "--endpoint", "GET /checkout", "--by", "request.id", input))
        .contains("cannot be grouped by request.id; by duration, stopped")
        .contains("http.response.status_code, tenant");
    assertThat(
            ask(
                2,
                "slow",
                "--endpoint",
                "GET /checkout",
                "--by",
                "tenant",
                "--group",
                "green",
                input))
        .contains("no group is named green; the groups are");
  }

  @Test
  void slow_byAPart_comparesThoseWithTheMostOfIt() throws IOException {
    String input = input("input", requests(Cause.WAIT, 3));

    String answer = slowBy("otherWait", "p99", input);

    assertThat(answer).contains("by otherWait.", "the 10 above p99 against the");
    assertThat(rows(answer, "| own method |").get(0))
        .startsWith("com.example.Pool.borrow", "waiting ms");
  }

  @Test
  void method_ofRequests_namesThoseWithTheMostOfItAndWhen() throws IOException {
    String input = input("input", requests(Cause.OWN_METHOD, 4));

    String answer = ask(0, "method", "--method", "Cache.load", input);

    assertThat(answer).startsWith("10 requests of all endpoints have CPU time of Cache.load");
    List<List<String>> rows = rows(answer, "| trace |");
    assertThat(rows).hasSize(10);
    assertThat(rows)
        .allSatisfy(
            row -> assertThat(Integer.parseInt(row.get(0).substring(24), 16) % 100).isZero());
    assertThat(rows).isSortedAccordingTo((a, b) -> Double.compare(amount(b), amount(a)));
    assertThat(Double.parseDouble(rows.get(0).get(5))).isBetween(50., 100.);
    List<List<String>> times = rows(answer, "| requests since |");
    assertThat(times.stream().mapToInt(row -> Integer.parseInt(row.get(1))).sum())
        .isEqualTo(REQUESTS);
    assertThat(times.stream().mapToInt(row -> Integer.parseInt(row.get(2))).sum()).isEqualTo(10);
    assertThat(answer).contains("Next: `request --id " + rows.get(0).get(0) + "`");
    assertThat(answer.getBytes(UTF_8)).hasSizeLessThanOrEqualTo(LIMIT);
    String outer = ask(0, "method", "--method", "com.example.Shop.serve", input);
    assertThat(outer).as("the table is cut, its sum is not").contains("others)");
    assertThat(outer.getBytes(UTF_8)).hasSizeLessThanOrEqualTo(LIMIT);
    assertThat(ask(2, "method", "--method", "load", input))
        .contains("did you mean com.example.Cache.load?");
    assertThat(ask(2, "method", input)).contains("name a method with --method");
  }

  @Test
  void answers_withLongNames_haveRowsAndStayBelowTheLimit() throws IOException {
    String name = "ä_<x>|".repeat(40);
    TraceData traces = new TraceData(name);
    ProfileData profile = new ProfileData().service(name);
    for (int number = 1; number <= 600; number++) {
      long start = START + number * 20_000 * MS;
      traces.root(number, name, start, start + (500 + number) * MS);
      for (String key : List.of("a", "b", "c", "d")) {
        traces.attribute(key + "ü_<x>|".repeat(15), number % 40 + "ö_<x>|".repeat(15));
      }
      for (int method = 0; method < 30; method++) {
        int more = number > 590 && method < 8 ? 20 : 0;
        String of = "com.example." + "w".repeat(200) + method + ".find" + "v".repeat(200);
        sample(profile, number, start, 400, 1 + more, of);
      }
    }
    String input = input("long", CollectorFiles.protobuf(traces.build(), profile.build()));
    String attribute = "a" + "ü_<x>|".repeat(15);
    assertThat(ask(0, "slow", "--endpoint", name, "--by", attribute, input))
        .contains("other groups.");

    for (String answer :
        List.of(
            ask(0, "slow", input),
            ask(0, "slow", "--endpoint", name, input),
            ask(0, "slow", "--endpoint", name, "--by", attribute, input),
            ask(0, "method", "--method", "com.example.Shop.serve", input))) {
      assertThat(answer.getBytes(UTF_8)).as(answer).hasSizeLessThanOrEqualTo(LIMIT);
      assertThat(answer.lines().filter(line -> line.startsWith("| "))).hasSizeGreaterThan(2);
    }
  }

  @Test
  void sentence_isTheSameInAnswersOnThePageAndInTheSummary() throws IOException {
    byte[] file = requests(Cause.OWN_METHOD, 1);
    JoinRun run = JoinRun.of(directory.resolve("run"), file);
    JsonObject slow =
        run.data().getAsJsonArray("endpoints").get(0).getAsJsonObject().getAsJsonObject("slow");
    String text = slow.getAsJsonArray("texts").get(slow.get("first").getAsInt()).getAsString();

    assertThat(text).startsWith("the 10 above p99 against the 500 up to p50: ");
    assertThat(slow(file, "input")).contains("\nPer request, " + text + ".\n");
    assertThat(Files.readString(run.output().resolve("summary.md")))
        .contains("\n  Per request, " + text + ".\n");
  }

  @Test
  void sentence_ofTooFewRequestsForP99_isOnThePageToo() throws IOException {
    TraceData traces = new TraceData("shop");
    for (int number = 1; number <= 40; number++) {
      traces.root(number, "GET /", START, START + number * MS);
    }
    byte[] file = CollectorFiles.protobuf(traces.build());
    JsonObject slow =
        JoinRun.of(directory.resolve("run"), file)
            .data()
            .getAsJsonArray("endpoints")
            .get(0)
            .getAsJsonObject()
            .getAsJsonObject("slow");

    assertThat(slow.getAsJsonArray("texts").get(2).getAsString())
        .isEqualTo("too few requests to tell");
    assertThat(ask(0, "slow", "--endpoint", "GET /", "--group", "p99", input("few", file)))
        .contains("Per request, too few requests to tell.");
  }

  /** As most waits are, if only the CPU is sampled. */
  @Test
  void sentence_ofWaitsThatWereNotSampled_saysHowMuchSamplesExplain() throws IOException {
    TraceData traces = new TraceData("shop");
    ProfileData cpu = new ProfileData().time(START).service("shop");
    for (int number = 1; number <= 300; number++) {
      double millis = 100 + number / 10.0 + (number > 297 ? 600 : 0);
      traces.root(number, "GET /", START, START + (long) (millis * MS));
      sample(cpu, number, START, millis, 5, "com.example.Shop.m0");
    }
    String input = input("cpu", CollectorFiles.protobuf(traces.build(), cpu.build()));

    assertThat(ask(0, "slow", "--endpoint", "GET /", input))
        .contains("the 3 above p99 against the 150 up to p50: +622 ms, samples explain +0 ns; no ");
  }

  /** As of two processes, of which each has another profiler. */
  @Test
  void sentence_ofWaitsAndLocksOfDifferentRequests_explainsByBoth() throws IOException {
    TraceData traces = new TraceData("shop");
    ProfileData waits = profile("off_cpu");
    ProfileData locks = profile("lock");
    for (int number = 1; number <= 300; number++) {
      long end = START + 100 * MS + number * MS / 10 + (number > 297 ? 600 * MS : 0);
      traces.root(number, "GET /", START, end);
      if (number > 297) {
        wait(number == 300 ? locks : waits, number, START, 600 * MS, "com.example.Shop.m0");
      }
    }
    String input =
        input("both", CollectorFiles.protobuf(traces.build(), waits.build(), locks.build()));

    String answer = ask(0, "slow", "--endpoint", "GET /", "--group", "p99", input);
    assertThat(answer).contains("samples explain +600 ms;");
    assertThat(rows(answer, "| group |").get(3))
        .startsWith("above p99", "3")
        .endsWith("600.000", "");
  }

  @Test
  void slow_byAnAttribute_leavesOutUnknownDurationsAndNamesOfAmounts() throws IOException {
    TraceData traces = new TraceData("shop");
    for (int number = 1; number <= 40; number++) {
      traces
          .root(number, "GET /", START, number > 30 ? START - MS : START + 10 * MS)
          .attribute("lock", number % 2 == 0 ? "x" : "y")
          .attribute("tenant", number % 2 == 0 ? "others" : "blue");
    }
    String input = input("unknown", CollectorFiles.protobuf(traces.build()));

    assertThat(ask(0, "slow", "--endpoint", "GET /", "--by", "tenant", "--group", "others", input))
        .contains("| others | 15 | 10.000 |", "the 15 with others against the 15 others")
        .doesNotContain("Also by");
    assertThat(ask(0, "slow", "--endpoint", "GET /", input)).contains("Also by: tenant, as");
  }

  /** Each of three values takes a third of the requests, and so does no value. */
  @Test
  void slow_byAnAttribute_tellsEachValueFromNone() throws IOException {
    String begin = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) ".repeat(3);
    TraceData traces = new TraceData("shop");
    for (int number = 1; number <= 40; number++) {
      traces.root(number, "GET /", START, START + (10 + number) * MS);
      switch (number % 4) {
        case 0 ->
            traces
                .attribute("agent", begin + "Chrome")
                .attribute("address", "[::1]")
                .attribute("empty", "")
                .attribute("array", List.of("a"));
        case 1 ->
            traces
                .attribute("agent", begin + "Firefox")
                .attribute("address", "{id}")
                .attribute("empty", "x")
                .attribute("array", "{\"a\": [1]}");
        case 2 ->
            traces
                .attribute("agent", "curl")
                .attribute("address", "10.0.0.1")
                .attribute("empty", "y")
                .attribute("array", "a");
        default -> {}
      }
    }
    String input = input("values", CollectorFiles.protobuf(traces.build()));

    Map<String, List<String>> values =
        Map.of(
            "agent", List.of("(without) 10", "curl 10", "long 10", "long 10"),
            "address", List.of("(without) 10", "10.0.0.1 10", "\\[::1\\] 10", "{id} 10"),
            "empty", List.of("(without) 10", "(empty) 10", "x 10", "y 10"),
            "array", List.of("(without) 10", "(array or map) 20", "a 10"));
    values.forEach(
        (by, groups) ->
            assertThat(
                    ask(0, "slow", "--endpoint", "GET /", "--by", by, input)
                        .lines()
                        .dropWhile(line -> !line.startsWith("| ---"))
                        .skip(1)
                        .takeWhile(line -> line.startsWith("| "))
                        .map(line -> line.replaceFirst("….* #[0-9a-f]{8}", "long"))
                        .map(line -> line.replaceFirst("\\| (.*?) \\| (\\d+) .*", "$1 $2")))
                .containsExactlyInAnyOrderElementsOf(groups));
  }

  @Test
  void durationsOfZero_areInGroups_butNotUnknownOnes() throws IOException {
    TraceData traces = new TraceData("shop");
    ProfileData cpu = new ProfileData().time(START).service("shop");
    for (int number = 1; number <= 40; number++) {
      long start = START + number * 1_000 * MS;
      int millis = number > 30 ? -1 : number % 2 == 0 ? 10 : 0;
      traces
          .root(number, "GET /", start, start + millis * MS)
          .attribute("tenant", number % 4 < 2 ? "red" : "blue");
      sample(cpu, number, start, Math.max(0, millis), 1 + number % 3, "com.example.Shop.m");
    }
    String input = input("zero", CollectorFiles.protobuf(traces.build(), cpu.build()));

    for (String by : List.of("duration", "onCpu", "tenant")) {
      String answer = ask(0, "slow", "--endpoint", "GET /", "--by", by, input);
      assertThat(rows(answer, "| group |").stream().mapToInt(row -> Integer.parseInt(row.get(1))))
          .as(answer)
          .satisfies(
              counts -> assertThat(counts.stream().mapToInt(one -> one).sum()).isEqualTo(30));
      assertThat(answer)
          .contains("In no group: 10 requests whose durations are not known.")
          .doesNotContain("NaN");
    }
    String method = ask(0, "method", "--method", "com.example.Shop.m", input);
    assertThat(
            rows(method, "| requests since |").stream()
                .mapToInt(row -> Integer.parseInt(row.get(1)))
                .sum())
        .as(method)
        .isEqualTo(30);
    assertThat(method).contains("Not in this table: 10 requests whose times are not known.");
    JsonObject endpoint =
        JoinRun.with(directory.resolve("run"), input)
            .data()
            .getAsJsonArray("endpoints")
            .get(0)
            .getAsJsonObject();
    assertThat(endpoint.getAsJsonObject("box").get("of").getAsInt()).isEqualTo(30);
  }

  /** Of 22 requests of 10 ms and 8 whose durations are unknown, the 20 slowest are known. */
  @Test
  void meanOfTheSlowest_isOfKnownDurations() throws IOException {
    for (int known : new int[] {22, 12}) {
      TraceData traces = new TraceData("shop");
      ProfileData cpu = new ProfileData().time(START).service("shop");
      for (int number = 1; number <= 30; number++) {
        long start = START + number * 1_000 * MS;
        traces.root(number, "GET /", start, start + (number > known ? -1 : 10) * MS);
        sample(cpu, number, start, 10, 1, "com.example.Shop.m");
      }
      String input = input("known", CollectorFiles.protobuf(traces.build(), cpu.build()));

      String answer = ask(0, "endpoints", input);
      JsonObject endpoint =
          JoinRun.with(directory.resolve("run"), input)
              .data()
              .getAsJsonArray("endpoints")
              .get(0)
              .getAsJsonObject();

      assertThat(answer).contains("The mean request of GET /: 10.0 ms: ");
      assertThat(answer.contains("The mean of its slowest 20: 10.0 ms: ")).isEqualTo(known == 22);
      assertThat(answer.contains("The mean of its slowest")).isEqualTo(known == 22);
      assertThat(endpoint.has("ofSlowest")).isEqualTo(known == 22);
    }
  }

  @Test
  void slow_ofEqualDurations_comparesNothing() throws IOException {
    TraceData traces = new TraceData("shop");
    ProfileData cpu = new ProfileData().time(START).service("shop");
    for (int number = 1; number <= 20; number++) {
      traces.root(number, "GET /", START, START + 10 * MS);
      sample(cpu, number, START, 10, 1, "com.example.Shop.m");
    }
    String input = input("ties", CollectorFiles.protobuf(traces.build(), cpu.build()));

    String answer = ask(0, "slow", "--endpoint", "GET /", input);

    assertThat(rows(answer, "| group |").get(0)).startsWith("up to p50", "20", "10.000");
    assertThat(answer)
        .contains("too few requests to tell", "There is nothing to compare: no request is in ")
        .doesNotContain("own method", "The mean of", "NaN");
  }

  /** Equal amounts are no order: the typical ones would be the slowest of those without locks. */
  @Test
  void slow_byAPartThatMostDoNotHave_comparesWithAllWithoutIt() throws IOException {
    String input = input("input", requests(Cause.WAIT, 3));

    assertThat(slowBy("lock", "p99", input)).contains("| up to p50 | 1000 |", "too few requests");
  }

  @Test
  void question_thatIsSuggested_quotesTheNameOfAnAttribute() throws IOException {
    TraceData traces = new TraceData("shop");
    for (int number = 1; number <= 40; number++) {
      traces
          .root(number, "GET /", START, START + number * MS)
          .attribute("a,b; it's", number % 2 == 0 ? "x" : "y");
    }
    String input = input("key", CollectorFiles.protobuf(traces.build()));

    assertThat(ask(0, "slow", "--endpoint", "GET /", input))
        .contains("`slow --by 'a,b; it'\\''s' --endpoint 'GET /'`");
    assertThat(ask(0, "slow", "--endpoint", "GET /", "--by", "a,b; it's", input))
        .contains("| x | 20 |", "| y | 20 |");
  }

  @Test
  void method_withoutAnEndpoint_looksAtTenEndpointsAndSaysSo() throws IOException {
    TraceData traces = new TraceData("shop");
    ProfileData cpu = new ProfileData().time(START).service("shop");
    for (int number = 1; number <= 13; number++) {
      traces.root(number, "GET /" + number, START, START + number * MS);
      sample(cpu, number, START, number, 1, "com.example.Shop.m0");
    }
    String input = input("many", CollectorFiles.protobuf(traces.build(), cpu.build()));

    assertThat(ask(0, "method", "--method", "Shop.m0", input))
        .startsWith("10 requests of all endpoints, of which 3 with less time are left out");
    assertThat(ask(0, "method", "--method", "Shop.m0", "--endpoint", "GET /1", input))
        .startsWith("1 requests of GET /1 have");
  }

  /** A wait that also takes a sample of CPU time is no matter of CPU time. */
  @Test
  void method_thatMostlyWaits_hasItsWaits() throws IOException {
    TraceData traces = new TraceData("shop").root(1, "GET /", START, START + 700 * MS);
    ProfileData cpu = new ProfileData().time(START).service("shop");
    ProfileData waits = profile("off_cpu");
    sample(cpu, 1, START, 700, 1, "com.example.Pool.borrow");
    wait(waits, 1, START + 20 * MS, 600 * MS, "com.example.Pool.borrow");
    String input =
        input("both", CollectorFiles.protobuf(traces.build(), cpu.build(), waits.build()));

    assertThat(ask(0, "method", "--method", "Pool.borrow", input))
        .startsWith("1 requests of all endpoints have waiting time of Pool.borrow")
        .contains("600.000 ms");
    assertThat(ask(0, "method", "--method", "Pool.borrow", "--kind", "cpu", input))
        .contains("CPU time of Pool.borrow");
  }

  @Test
  void slow_ofTooFewRequests_saysSo() throws IOException {
    byte[] one =
        CollectorFiles.json(new TraceData("shop").root(1, "GET /", START, START + MS).build());

    assertThat(ask(0, "slow", "--endpoint", "GET /", input("one", one)))
        .contains("too few requests to tell")
        .doesNotContain("NaN");
  }

  @Test
  void method_thatOnlyWaits_hasItsWaits() throws IOException {
    String input = input("input", requests(Cause.WAIT, 5));

    String answer = ask(0, "method", "--method", "Pool.borrow", input);

    assertThat(answer)
        .startsWith("10 requests of all endpoints have waiting time of Pool.borrow")
        .contains("6000.000 ms");
    assertThat(rows(answer, "| trace |").get(0).get(0))
        .isIn(
            IntStream.rangeClosed(1, 10)
                .mapToObj(of -> HexFormat.of().formatHex(traceId(100L * of)))
                .toList());
  }

  private static double amount(List<String> row) {
    return Double.parseDouble(row.get(4));
  }

  private String slow(byte[] file, String name) throws IOException {
    return ask(0, "slow", "--endpoint", "GET /checkout", input(name, file));
  }

  private static String slowBy(String by, String group, String input) {
    return ask(0, "slow", "--endpoint", "GET /checkout", "--by", by, "--group", group, input);
  }

  private String input(String name, byte[] file) throws IOException {
    Path path = directory.resolve(name);
    Files.write(path, file);
    return path.toString();
  }

  static String ask(int status, String... arguments) {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(printed, true, UTF_8);
    assertThat(FlameGraphs.run(arguments, InputStream.nullInputStream(), out, out))
        .as(printed.toString(UTF_8))
        .isEqualTo(status);
    return printed.toString(UTF_8);
  }

  /** The cells of the rows of the table with this begin of its head. */
  private static List<List<String>> rows(String answer, String head) {
    return answer
        .lines()
        .dropWhile(line -> !line.startsWith(head))
        .skip(2)
        .takeWhile(line -> line.startsWith("| "))
        .filter(line -> !line.startsWith("| ("))
        .map(line -> Arrays.stream(line.substring(1).split("\\|", -1)).map(String::strip).toList())
        .toList();
  }
}

/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import static io.flamespan.page.ComparablePage.comparable;
import static io.flamespan.page.Example.MS;
import static io.flamespan.page.Example.START;
import static io.flamespan.page.TraceData.NONE;
import static io.flamespan.page.TraceData.spanId;
import static io.flamespan.page.TraceData.traceId;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.protobuf.Message;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Groups of requests from ClickHouse, against those of files. */
@Tag("other-programs")
class ClickHouseGroupsTest {
  private static final List<String> STACK = List.of("main", "work");

  @TempDir static Path shared;
  @TempDir Path directory;
  private static ClickHouse clickHouse;

  @BeforeAll
  static void start() throws Exception {
    clickHouse = new ClickHouse(shared);
  }

  @AfterAll
  static void stop() throws Exception {
    clickHouse.close();
  }

  @Test
  void slowRequestsAndRequestsOfAMethod_areThoseOfFiles() throws Exception {
    Message[] messages = SlowRequestsTest.messages(SlowRequestsTest.Cause.WAIT, 1);
    clickHouse.store("slow", messages);
    String file = directory.resolve("slow").toString();
    Files.write(Path.of(file), CollectorFiles.protobuf(messages));
    String endpoint = "GET /checkout";

    for (List<String> question :
        List.of(
            List.of("slow"),
            List.of("slow", "--endpoint", endpoint),
            List.of("slow", "--endpoint", endpoint, "--group", "p50", "--kind", "cpu"),
            List.of("slow", "--endpoint", endpoint, "--by", "otherWait"),
            List.of("slow", "--endpoint", endpoint, "--by", "tenant"),
            List.of("method", "--method", "Pool.borrow"))) {
      List<String> ofFiles = new ArrayList<>(question);
      ofFiles.add(file);
      List<String> ofTables = new ArrayList<>(question);
      ofTables.addAll(List.of(clickHouse.arguments("slow")));
      assertThat(withoutParts(SlowRequestsTest.ask(0, ofTables.toArray(String[]::new))))
          .hasSizeGreaterThan(4)
          .isEqualTo(withoutParts(SlowRequestsTest.ask(0, ofFiles.toArray(String[]::new))));
    }
    JoinRun tables = JoinRun.with(directory.resolve("clickhouse"), clickHouse.arguments("slow"));
    JoinRun files = JoinRun.with(directory.resolve("files"), file);
    assertThat(tables.endpoint(endpoint).getAsJsonArray("splits")).hasSizeGreaterThan(2);
    assertThat(comparable(tables.data())).isEqualTo(comparable(files.data()));
    assertThat(tables.output().resolve("summary.md"))
        .hasSameTextualContentAs(files.output().resolve("summary.md"))
        .content()
        .contains(" waiting in `Pool.borrow`");
  }

  /** As threads of a request share its time, and spans are checked, only in files. */
  private static List<String> withoutParts(String answer) {
    return answer.lines().filter(line -> !line.matches("The mean of .*|note: .*")).toList();
  }

  /** Texts, numbers of both kinds, arrays, and texts that look like some of these. */
  @Test
  void attributes_ofAnyType_groupAsInFiles() throws Exception {
    TraceData traces = new TraceData("shop");
    ProfileData profile = new ProfileData().time(START).service("shop");
    double[] fractions = {0.5, -1e-7, 1.5e300, 200, 123_456_789.125, 1e21};
    for (int number = 1; number <= 120; number++) {
      long millis = 50 + 20 * (number % 6) + number % 7 * 30 + number % 3;
      traces
          .root(number, "GET /", START, START + millis * MS)
          .attribute("fraction", fractions[number % fractions.length])
          .whole("large", (1L << 53) + number % 7)
          .attribute("tags", List.of("a", "b" + number % 3))
          .attribute("text", number % 3 == 0 ? "[1]" : "{}")
          .attribute("thread.cpu.time", number % 3);
      profile.sample(traceId(number), spanId(number), START, 1 + number % 6, STACK);
    }
    Message[] messages = {traces.build(), profile.build()};
    clickHouse.store("types", messages);

    JoinRun tables = JoinRun.with(directory.resolve("clickhouse"), clickHouse.arguments("types"));
    JoinRun files = JoinRun.of(directory, CollectorFiles.protobuf(messages));

    assertThat(tables.endpoint("GET /").getAsJsonArray("splits"))
        .map(split -> split.getAsJsonObject().get("by").getAsString())
        .contains("fraction", "large")
        .doesNotContain("tags", "text", "thread.cpu.time");
    List<String> values = new ArrayList<>();
    for (JsonElement split : tables.endpoint("GET /").getAsJsonArray("splits")) {
      split.getAsJsonObject().getAsJsonArray("names").forEach(one -> values.add(one.getAsString()));
    }
    assertThat(values)
        .contains("0.5", "-1e-7", "1.5e+300", "200", "123456789.125", "1e+21", "9007199254740993");
    assertThat(comparable(tables.data())).isEqualTo(comparable(files.data()));
  }

  @Test
  void attributes_ofRareValues_groupAsInFiles() throws Exception {
    TraceData traces = new TraceData("shop");
    ProfileData profile = new ProfileData().time(START).service("shop");
    double[] infinite = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY};
    for (int number = 1; number <= 120; number++) {
      traces
          .root(number, "GET /", START, START + (50 + 20 * (number % 6) + number % 5) * MS)
          .attribute("digits", number % 2 == 0 ? 2e23 : -0.0)
          .attribute("infinite", infinite[number % 3])
          .bytes("bytes", new byte[] {(byte) 0xfb, (byte) (number % 6)});
      profile.sample(traceId(number), spanId(number), START, 1 + number % 6, STACK);
    }
    Message[] messages = {traces.build(), profile.build()};
    clickHouse.store("rare", messages);

    JoinRun tables = JoinRun.with(directory.resolve("clickhouse"), clickHouse.arguments("rare"));
    JoinRun files = JoinRun.of(directory, CollectorFiles.protobuf(messages));

    assertThat(tables.endpoint("GET /").getAsJsonArray("splits").toString())
        .contains("\"2e+23\"", "\"-0\"", "\"NaN\"", "\"Infinity\"", "\"-Infinity\"", "\"+wE=\"");
    assertThat(comparable(tables.data())).isEqualTo(comparable(files.data()));
  }

  @Test
  void attributes_ofLongEmptyOrJsonLikeValues_groupAsInFiles() throws Exception {
    String begin = "Mozilla/5.0 (Windows NT 10.0; Win64; é 😀) ".repeat(3);
    TraceData traces = new TraceData("shop");
    ProfileData profile = new ProfileData().time(START).service("shop");
    for (int number = 1; number <= 120; number++) {
      long millis = 10 + 20 * (number % 6) + number % 5;
      traces.root(number, "GET /", START, START + millis * MS).stackTraceIds(number % 2);
      if (number % 6 > 0) {
        traces
            .attribute("agent", number % 6 < 4 ? begin + number % 6 : "curl")
            .attribute("address", List.of("[::1]", "{id}", "{}", "[1, \"a\"]").get(number % 4));
      }
      if (number % 5 == 0) {
        traces.attribute("empty", "");
      } else if (number % 5 == 1) {
        traces.attribute("empty", List.of("a", "b" + number));
      }
      profile.sample(traceId(number), spanId(number), START, 1 + number % 6, STACK);
    }
    Message[] messages = {traces.build(), profile.build()};
    clickHouse.store("values", messages);

    JoinRun tables = JoinRun.with(directory.resolve("clickhouse"), clickHouse.arguments("values"));
    JoinRun files = JoinRun.of(directory, CollectorFiles.protobuf(messages));

    assertThat(tables.endpoint("GET /").getAsJsonArray("splits").toString())
        .contains("\"[::1]\"", "\"{id}\"", "\"(array or map)\"", "\"(empty)\"", "\"\"")
        .containsPattern("\"Mozilla[^\"]{80,90} #[0-9a-f]{8}\"")
        .doesNotContain("profiler_stack_trace_ids");
    assertThat(comparable(tables.data())).isEqualTo(comparable(files.data()));
  }

  @Test
  void durations_ofZeroOrUnknown_areAsInFiles() throws Exception {
    TraceData traces = new TraceData("shop");
    ProfileData profile = new ProfileData().time(START).service("shop");
    for (int number = 1; number <= 120; number++) {
      long millis = number % 4 == 0 ? -5 : number % 4 == 1 ? 0 : 10 + number % 5;
      traces
          .root(number, number % 30 == 0 ? "GET /unknown" : "GET /", START, START + millis * MS)
          .attribute("tenant", number % 3 == 0 ? "red" : "blue");
      profile.sample(traceId(number), spanId(number), START, 1, STACK);
    }
    Message[] messages = {traces.build(), profile.build()};
    clickHouse.store("zero", messages);
    String file = directory.resolve("zero").toString();
    Files.write(Path.of(file), CollectorFiles.protobuf(messages));

    for (List<String> question :
        List.of(
            List.of("endpoints"),
            List.of("slow", "--endpoint", "GET /"),
            List.of("slow", "--endpoint", "GET /", "--by", "tenant"),
            List.of("method", "--method", "work"))) {
      List<String> ofFiles = new ArrayList<>(question);
      ofFiles.add(file);
      List<String> ofTables = new ArrayList<>(question);
      ofTables.addAll(List.of(clickHouse.arguments("zero")));
      assertThat(withoutParts(SlowRequestsTest.ask(0, ofTables.toArray(String[]::new))))
          .isEqualTo(withoutParts(SlowRequestsTest.ask(0, ofFiles.toArray(String[]::new))));
    }
    JoinRun tables = JoinRun.with(directory.resolve("clickhouse"), clickHouse.arguments("zero"));
    JoinRun files = JoinRun.with(directory.resolve("files"), file);
    assertThat(comparable(tables.data())).isEqualTo(comparable(files.data()));
  }

  /** Their names alone would exceed the length of a form field. */
  @Test
  void input_ofAllKinds_isAsThatOfFiles() throws Exception {
    TraceData traces = new TraceData("shop");
    ProfileData profile = new ProfileData().time(START).service("shop");
    profile.sample(traceId(1), spanId(1), START, 3, List.of());
    profile.sample(NONE, NONE, START, 2, List.of());
    for (int number = 1; number <= 2_700; number++) {
      traces.root(number, "GET /" + "x".repeat(100) + number, START, START + (30 + number) * MS);
    }
    for (String name : Files.readAllLines(Path.of("src/test/resources/comparable-names.tsv"))) {
      profile.sample(traceId(2), spanId(2), START, 1, List.of(name.split("\t")[0]));
    }
    ProfileData timed = new ProfileData().time(START).service("shop").type("cpu", "nanoseconds");
    timed.sample(traceId(3), spanId(3), START, 2, STACK);
    ProfileData engine = new ProfileData().time(START).service("shop").type("ctimer", "ns");
    engine.value(traceId(4), spanId(4), 30 * MS, STACK);
    Message[] all = {traces.build(), profile.build(), timed.build(), engine.build()};
    clickHouse.store("kinds", all);

    JoinRun tables = JoinRun.with(directory.resolve("clickhouse"), clickHouse.arguments("kinds"));

    assertThat(tables.status()).as(String.join("\n", tables.lines())).isZero();
    JoinRun files = JoinRun.of(directory, CollectorFiles.json(all));
    assertThat(comparable(tables.data())).isEqualTo(comparable(files.data()));
  }
}
